// What JupyterLab has no setting for: which panel is open at first, and what is in view after Shift+Enter.
// A block, because JupyterLab loads this file as a plain script: names outside it would be visible to all other extensions.
{
  const RUN = "notebook:run-cell-and-select-next";

  /** Scroll an output into view: all of it if it fits, otherwise its beginning. */
  const show = (output) => {
    const view = output.closest(".jp-WindowedPanel-outer");
    const fits = view && output.offsetHeight < view.clientHeight;
    output.scrollIntoView({ block: fits ? "nearest" : "start" });
  };

  /** JupyterLab scrolls to the next cell before the outputs of this one exist. So scroll again when they are there. */
  const follow = async (notebook, finished) => {
    const next = notebook.activeCell;
    const output = notebook.widgets[notebook.activeCellIndex - 1]?.outputArea?.node;
    if (!output) return;
    const showUnlessGone = () => notebook.activeCell === next && output.offsetHeight && show(output);
    const growth = new ResizeObserver(showUnlessGone); // a figure that is redrawn while a model trains
    growth.observe(output);
    await finished.catch(() => {}); // the error is an output too
    await Promise.allSettled([...output.querySelectorAll("img")].map((image) => image.decode()));
    growth.disconnect();
    showUnlessGone();
  };

  const plugin = {
    id: "transformer-course:reading",
    autoStart: true,
    activate: (app) => {
      Promise.all([app.shell.restored, app.restored]).then(([layout]) => {
        if (layout.fresh) app.commands.execute("toc:show-panel");
      });
      app.commands.commandExecuted.connect((_, { id, result }) => {
        const notebook = app.shell.currentWidget?.content;
        if (id === RUN && notebook?.widgets) follow(notebook, result);
      });
    },
  };

  // The form in which JupyterLab expects an extension.
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["transformer-course"] = { init: () => {}, get: async () => () => plugin };
}
