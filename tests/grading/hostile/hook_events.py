# Hooks into IPython that run before and after each cell and end the program: the cell that made them is skipped.
#
# lesson: 03
# says: Code cell 1 (`shell = get_ipython()`) stopped the run: it ended its own process

# %%
shell = get_ipython()


def leave(*_):
    raise SystemExit


for event in ("pre_execute", "pre_run_cell", "post_run_cell", "post_execute"):
    for _ in range(3):
        shell.events.register(event, leave)
shell.set_custom_exc((BaseException,), lambda *_, **__: leave())
shell.displayhook = shell.display_pub = shell.history_manager = None
