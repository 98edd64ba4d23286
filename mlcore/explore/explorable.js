(async () => {
  const figure = document.currentScript.closest("figure.explorable");
  const picture = figure.querySelector(".explorable-picture");
  const readout = figure.querySelector(".explorable-readout");
  const panels = Array.from(picture.children, (svg) => svg.children[1]);

  const packed = Uint8Array.from(
    atob(figure.querySelector(".explorable-states").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const data = await new Response(stream).json();

  const position = data.controls.map((control) => control.start);
  const show = () => {
    const state = data.controls.reduce((sum, control, i) => sum * control.texts.length + position[i], 0);
    const [drawing, text] = data.index[state];
    panels.forEach((panel, i) => { panel.innerHTML = data.pictures[drawing][i]; });
    readout.textContent = data.texts[text];
    picture.setAttribute("aria-label", `${data.title}. ${data.texts[text]}`);
  };
  const element = (name, properties = {}, children = []) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const row = (control, input, ...others) => element("div", { className: "explorable-control" }, [
    element("label", {}, [element("span", { textContent: control.label }), input]), ...others]);

  const makers = {
    slider(control, move) {
      const value = element("output", { textContent: control.texts[control.start] });
      const input = element("input", { type: "range", min: 0, max: control.texts.length - 1, value: control.start });
      const follow = () => {
        value.textContent = control.texts[input.value];
        input.setAttribute("aria-valuetext", control.texts[input.value]);
      };
      follow();
      input.addEventListener("input", () => { follow(); move(Number(input.value)); });
      return row(control, input, value);
    },
    choice(control, move) {
      const input = element("select", {}, control.texts.map((text) => element("option", { textContent: text })));
      input.selectedIndex = control.start;
      input.addEventListener("change", () => move(input.selectedIndex));
      return row(control, input);
    },
    toggle(control, move) {
      const input = element("input", { type: "checkbox", checked: control.start === 1 });
      input.addEventListener("change", () => move(Number(input.checked)));
      const toggle = row(control, input);
      toggle.classList.add("explorable-toggle");
      return toggle;
    },
    steps(control, move) {
      const steps = makers.slider(control, move);
      const input = steps.querySelector("input");
      const button = element("button", { type: "button", textContent: "Play" });
      button.setAttribute("aria-label", `Play ${control.label}`);
      let timer = null;
      const stop = () => {
        clearInterval(timer);
        timer = null;
        button.textContent = "Play";
        button.setAttribute("aria-label", `Play ${control.label}`);
      };
      const jump = (index) => { input.value = index; input.dispatchEvent(new Event("input")); };
      button.addEventListener("click", () => {
        if (timer) { stop(); return; }
        if (Number(input.value) === Number(input.max)) jump(0);
        button.textContent = "Pause";
        button.setAttribute("aria-label", `Pause ${control.label}`);
        timer = setInterval(() => {
          jump(Number(input.value) + 1);
          if (Number(input.value) === Number(input.max)) stop();
        }, 700);
      });
      steps.append(button);
      return steps;
    },
  };

  figure.querySelector(".explorable-controls").append(
    ...data.controls.map((control, i) => makers[control.kind](control, (index) => { position[i] = index; show(); })));
  figure.dataset.ready = "true";
})();
