// JupyterLab understands addresses that end in #cell-id=…, but not while it starts, and it never selects the cell.

async function select(id, { context, revealed, content: notebook }) {
  await Promise.all([context.ready, revealed]);
  const place = notebook.widgets.findIndex((cell) => cell.model.id === id);
  if (place < 0) return;
  notebook.activeCellIndex = place;
  keepInView(notebook.widgets[place].node, notebook.widgets);
}

/**
 * Scroll to a cell, and again whenever a cell gets its height, until the learner does something: JupyterLab draws the
 * cells one after another, and its own scrolling gives up when the machine is slow.
 */
function keepInView(cell, all) {
  const growth = new ResizeObserver(() => cell.scrollIntoView({ block: "start" }));
  for (const { node } of all) growth.observe(node);
  const acted = new AbortController();
  for (const sign of ["keydown", "pointerdown", "wheel"]) {
    addEventListener(sign, () => (growth.disconnect(), acted.abort()), { capture: true, passive: true, signal: acted.signal });
  }
}

const plugin = {
  id: "transformer-course-resume:plugin",
  autoStart: true,
  activate: (app) => {
    const id = location.hash.match(/^#cell-id=(.+)/)?.[1];
    if (!id) return;
    const opened = () => {
      const widget = app.shell.currentWidget;
      if (!widget?.content?.widgets) return; // not a notebook
      app.shell.currentChanged.disconnect(opened);
      select(id, widget);
    };
    app.shell.currentChanged.connect(opened);
  },
};

// The form in which JupyterLab loads extensions that are built apart from it.
var _JUPYTERLAB = window._JUPYTERLAB ?? {};
window._JUPYTERLAB = _JUPYTERLAB;
_JUPYTERLAB["transformer-course-resume"] = { init: () => {}, get: async () => () => plugin };
