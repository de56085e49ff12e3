// What JupyterLab has no setting for: which panel is open at first, what is in view after Shift+Enter, that the text about
// a result waits for the result, that a folded cell shows that it runs, and buttons that choose a path.
// A block, because JupyterLab loads this file as a plain script: names outside it would be visible to all other extensions.
{
  const RUN = "notebook:run-cell-and-select-next";
  const ABOVE = "notebook:run-all-above"; // a button in the toolbar

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

  /** Hide a text until the cell above it has been run, or until the learner clicks where it would be. */
  const wait = (text, result) => {
    const { outputs, stateChanged } = result.model;
    const update = () => text.toggleClass("course-waits", outputs.length === 0 && result.model.executionCount === null);
    const show = () => {
      outputs.changed.disconnect(update);
      stateChanged.disconnect(update);
      text.removeClass("course-waits");
    };
    outputs.changed.connect(update);
    stateChanged.connect(update); // for a cell without outputs, this is its number
    text.node.addEventListener("click", show, { once: true });
    update();
  };

  /** Under a prediction, each text waits for the cell above it, up to the next question or section: it would give the answer. */
  const hideExplanations = (notebook) => {
    let isAsked = false;
    let result = null;
    for (const cell of notebook.widgets) {
      const { type, sharedModel } = cell.model;
      const [, call] = (type === "code" && /^(predict|ask|reveal)\("/m.exec(sharedModel.source)) || [];
      if (call === "ask" || (type !== "code" && sharedModel.source.startsWith("#"))) isAsked = false;
      else if (call) isAsked = true;
      if (type !== "code" && sharedModel.source.includes("Predict:")) [isAsked, result] = [true, null]; // nothing to click
      if (!isAsked || call === "predict") result = null;
      else if (type === "code") result = cell;
      else if (result) wait(cell, result);
    }
  };

  /** A folded cell has the sign of any other, [*] while it runs: JupyterLab leaves it out (custom.css draws it). */
  const numberFolded = ({ node, model }) => {
    const update = () => {
      const sign = model.executionState === "running" ? "*" : (model.executionCount ?? " ");
      node.style.setProperty("--course-prompt", `"[${sign}]:"`);
    };
    model.stateChanged.connect(update);
    update();
  };

  /** A button in the list of paths does what the line of code beside it does, and shows the result in place of the list. */
  const choosePath = ({ target }, panel) => {
    const path = target.closest?.(".jp-OutputArea [data-course-path]")?.dataset.coursePath;
    const cell = path && panel?.content?.widgets?.find(({ node }) => node.contains(target));
    const kernel = panel?.sessionContext?.session?.kernel;
    if (!cell || !kernel || !/^[a-z]+$/.test(path)) return;
    const code = `from transformer_course.exercises import choose_path\n\nchoose_path("${path}")`;
    cell.node.focus(); // the button goes, and Shift + Enter would be lost with it
    cell.outputArea.future = kernel.requestExecute({ code, store_history: false });
  };

  const opened = new WeakSet();
  const open = async (panel, commands) => {
    if (!panel?.context?.ready || !panel.content?.widgets || opened.has(panel)) return;
    opened.add(panel);
    await panel.revealed;
    hideExplanations(panel.content);
    panel.content.widgets.filter((cell) => cell.model.type === "code").forEach(numberFolded);
    // In the first cell nothing is above, and the button would stay grey: JupyterLab does not ask again in the next one.
    panel.content.activeCellChanged.connect(() => commands.notifyCommandChanged(ABOVE));
    commands.notifyCommandChanged(ABOVE);
  };

  const plugin = {
    id: "transformer-course:reading",
    autoStart: true,
    activate: (app) => {
      Promise.all([app.shell.restored, app.restored]).then(([layout]) => {
        if (layout.fresh) app.commands.execute("toc:show-panel");
      });
      app.shell.currentChanged?.connect((_, { newValue }) => open(newValue, app.commands));
      app.restored.then(() => open(app.shell.currentWidget, app.commands));
      addEventListener("click", (event) => choosePath(event, app.shell.currentWidget));
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
