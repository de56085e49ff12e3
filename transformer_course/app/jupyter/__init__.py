"""The course's JupyterLab: how it starts, and what differs from an ordinary one. Nothing outside it changes."""
