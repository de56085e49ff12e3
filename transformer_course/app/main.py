"""Where the command ``transformer-course`` begins: it leaves the current folder before it imports anything else."""

from transformer_course._util.isolation import leave_current_folder


def main() -> None:
    leave_current_folder()
    from .terminal import end_printing, print_anything

    print_anything()
    from .cli import app

    try:
        app()
    finally:
        end_printing()
