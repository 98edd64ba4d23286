"""How long a page works on a key press.

*layout* runs from the first keydown listener to the end of the last input listener, with style and layout brought
up to date. *work* is all that the page's main thread does for the key press: *layout*, and then the frame that shows
the result, from its first animation callback until style, layout and paint are done. *painted* is the time that
passes between the key press and the end of that frame; it contains the wait for the next frame, up to 16.7 ms on a
screen of 60 Hz, in which the page is idle. A budget of "within one frame" is one of *work*. Other programs on the
machine only ever add to it, so that the lower quartile tells more about the page than the median does.
"""

FRAME = 16.0
"""Milliseconds that a frame lasts."""

_INSTALL = """() => {
  if (window.stopwatch) return;
  const times = window.stopwatch = [];
  let press = null;
  document.addEventListener("keydown", (event) => { press = { start: performance.now(), at: event.timeStamp }; }, true);
  const handled = (event) => {
    if (!press) return;
    event.target.closest("figure").getBoundingClientRect();
    press.handled = performance.now();
    if (press.waiting) return;
    press.waiting = true;
    const mine = press;
    requestAnimationFrame(() => {
      const frame = performance.now();
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        const end = performance.now();
        const layout = mine.handled - mine.start;
        times.push({ layout, work: layout + end - frame, painted: end - mine.at });
      };
      channel.port2.postMessage(null);
    });
  };
  document.addEventListener("input", handled);
  document.addEventListener("change", handled);
}"""


def timed_sweep(slider, presses):
    """Move a range input to and fro by `presses` arrow keys and return its times in milliseconds.

    Parameters
    ----------
    slider : playwright.sync_api.Locator
        Of an ``<input type="range">`` inside a figure.
    presses : int

    Returns
    -------
    list of dict
        "layout", "work" and "painted" of every key press.
    """
    page = slider.page
    page.evaluate(_INSTALL)
    before = page.evaluate("window.stopwatch.length")
    slider.focus()
    position, last = slider.evaluate("input => [Number(input.value), Number(input.max)]")
    step = 1
    for number in range(1, presses + 1):
        if not 0 <= position + step <= last:
            step = -step
        position += step
        page.keyboard.press("ArrowRight" if step > 0 else "ArrowLeft")
        page.wait_for_function("count => window.stopwatch.length === count", arg=before + number)
    return page.evaluate("count => window.stopwatch.slice(count)", before)
