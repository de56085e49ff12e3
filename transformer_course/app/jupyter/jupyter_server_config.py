"""Settings for the course's own JupyterLab. They are read because `lab` puts this folder into JUPYTER_CONFIG_PATH."""

from pathlib import Path

HERE = Path(__file__).parent

c.LabApp.custom_css = True
# JupyterLab reads custom.css from the learner's own Jupyter folder, unless it is told where else to look first.
c.ServerApp.tornado_settings.update({"static_custom_path": [str(HERE / "custom")]})
c.HTMLExporter.extra_template_basedirs = [str(HERE / "nbconvert")]
c.HTMLExporter.template_name = "course"  # for "Save and Export Notebook As"
