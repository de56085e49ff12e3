// JupyterLab shows a picture without the alt text in the metadata of its output, where nbconvert looks for it.
// A block, because JupyterLab loads this file as a plain script: names outside it would be visible to all other extensions.
{
  const PNG = "image/png";
  let shared; // the modules of JupyterLab, by name and version

  const withAlt = (renderer) => {
    const render = renderer.renderModel.bind(renderer);
    renderer.renderModel = async (model) => {
      await render(model);
      const alt = model.metadata[PNG]?.alt;
      if (alt) renderer.node.querySelector("img").alt = alt;
    };
    return renderer;
  };

  const plugin = (IRenderMimeRegistry) => ({
    id: "transformer-course-alt:plugin",
    autoStart: true,
    requires: [IRenderMimeRegistry],
    activate: (app, registry) => {
      const factory = registry.getFactory(PNG);
      const createRenderer = (options) => withAlt(factory.createRenderer(options));
      registry.addFactory({ ...factory, mimeTypes: [PNG], createRenderer }, registry.getRank(PNG));
    },
  });

  // The form in which JupyterLab expects an extension.
  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["transformer-course-alt"] = {
    init: (scope) => {
      shared = scope;
    },
    get: async () => {
      const [module] = Object.values(shared["@jupyterlab/rendermime"]);
      const { IRenderMimeRegistry } = (await module.get())();
      return () => plugin(IRenderMimeRegistry);
    },
  };
}
