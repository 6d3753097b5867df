"""Starts `memora`, which this package brings along, as `python -m memora_notes` and `uvx memora-notes` do."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path


def program() -> Path:
    """The program: beside the scripts of this environment, of the user's own, or of a folder that pip was given."""
    name = "memora.exe" if sys.platform == "win32" else "memora"
    user = sysconfig.get_preferred_scheme("user")
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme=user), Path(__file__).parents[1] / "bin"]
    for folder in map(Path, folders):
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"{name} is in none of: {', '.join(map(str, folders))}")


def main() -> None:
    found = os.fspath(program())
    if sys.platform == "win32":
        try:
            sys.exit(subprocess.run([found, *sys.argv[1:]]).returncode)
        except KeyboardInterrupt:
            sys.exit(2)
    os.execv(found, [found, *sys.argv[1:]])
