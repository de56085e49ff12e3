"""Write the installation instructions: a README, and a script for each kind of system."""

from pathlib import Path

from transformer_course._util.files import write_whole

TITLES = {"linux": "Linux", "macos": "macOS", "windows": "Windows"}
MACHINES = {"linux": "on x86_64", "macos": "14 or newer on Apple silicon", "windows": "on x86_64"}


def write_scripts(folder: Path, have: dict[str, list[str]]) -> None:
    """Write the README and scripts for the systems and Python versions in ``have``; delete those for other systems."""
    unix = {system: " ".join(have.get(system, [])) for system in ("linux", "macos")}
    windows = have.get("windows", [])
    lines = "\n".join(f"* {TITLES[system]} {MACHINES[system]}: Python {', '.join(have[system])}" for system in have)
    commands = {
        "* Windows: install.bat (double-click it)": windows,
        "* {}: in a terminal, sh install.sh": any(unix.values()),
    }
    readme = {
        "SYSTEMS": lines,
        "SCRIPTS": "\n".join(command for command, supported in commands.items() if supported).format(
            " and ".join(TITLES[system] for system in unix if unix[system])
        ),
        "HERE": ".venv/bin/" if any(unix.values()) else ".venv\\Scripts\\",
        "ASIDE": r" (on Windows, write .venv\Scripts\ in place of .venv/bin/)" if all(commands.values()) else "",
    }
    for name, values in {
        "README.txt": readme if have else {},
        "install.sh": {"LINUX": unix["linux"], "MACOS": unix["macos"]} if any(unix.values()) else {},
        "install.bat": {"MINORS": " ".join(each[2:] for each in windows), "PYTHONS": ", ".join(windows)} if windows else {},
    }.items():
        if not values:
            (folder / name).unlink(missing_ok=True)
            continue
        text = Path(__file__).with_name(name).read_text(encoding="utf-8")
        for word, value in values.items():
            text = text.replace(word, value)
        write_whole(folder / name, text.replace("\n", "\r\n" if name.endswith(".bat") else "\n").encode())
