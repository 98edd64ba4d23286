"""Settings of the Jupyter server for sliders that answer at once.

A move of a slider is answered by several small messages in a row. By default the operating system holds all but
the first back until the browser has acknowledged it, which takes up to 40 ms (Nagle's algorithm).
"""

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """The connection between a notebook and its kernel, with every message sent as soon as it is written."""

    async def connect(self):
        """Connect to the kernel."""
        self.websocket_handler.set_nodelay(True)
        await super().connect()


c = get_config()  # noqa: F821 (Jupyter runs this file with it)
c.ServerApp.kernel_websocket_connection_class = PromptConnection
