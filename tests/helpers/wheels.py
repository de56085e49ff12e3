"""Small wheels for tests of the wheelhouse."""

import zipfile
from pathlib import Path


def wheel(folder: Path, name: str, version: str, *needs: str, tag: str = "py3-none-any") -> Path:
    """Write a small wheel with these requirements."""
    path = folder / f"{name}-{version}-{tag}.whl"
    info = f"{name}-{version}.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {need}" for need in needs)]
    files = {f"{name}.py": "here = True\n", f"{info}/METADATA": "\n".join(lines) + "\n"}
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n"
    with zipfile.ZipFile(path, "w") as archive:
        for file, content in files.items():
            archive.writestr(file, content)
        archive.writestr(f"{info}/RECORD", "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"]))
    return path
