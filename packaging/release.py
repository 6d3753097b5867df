"""What the scripts of this folder share: the targets, the files, and archives whose bytes depend on their content alone."""

import gzip
import hashlib
import io
import os
import pathlib
import re
import tarfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
NAME = "memora-notes"
REPOSITORY = "https://github.com/memora-notes/memora"
SUMMARY = "Verifiable memory for an Obsidian vault: cite it or it didn't happen"
LICENCE = "MIT OR Apache-2.0"
# The data have others: the embedding models, the parser, the senses of words.
LICENCE_WITH_DATA = "(MIT OR Apache-2.0) AND Apache-2.0 AND CC-BY-SA-4.0 AND LicenseRef-WordNet"

# The platform as a wheel, npm and an MCP bundle call it. The oldest macOS and glibc are those that the release builds for.
TARGETS = {
    "x86_64-unknown-linux-gnu": {"wheel": "manylinux_2_28_x86_64", "npm": ("linux", "x64"), "mcpb": "linux"},
    "aarch64-unknown-linux-gnu": {"wheel": "manylinux_2_28_aarch64", "npm": ("linux", "arm64"), "mcpb": "linux"},
    "x86_64-apple-darwin": {"wheel": "macosx_11_0_x86_64", "npm": ("darwin", "x64"), "mcpb": "darwin"},
    "aarch64-apple-darwin": {"wheel": "macosx_11_0_arm64", "npm": ("darwin", "arm64"), "mcpb": "darwin"},
    "x86_64-pc-windows-msvc": {"wheel": "win_amd64", "npm": ("win32", "x64"), "mcpb": "win32"},
}


def is_windows(target):
    return "windows" in target


def program(target):
    return "memora.exe" if is_windows(target) else "memora"


def archive_name(version, target):
    return f"memora-{version}-{target}" + (".zip" if is_windows(target) else ".tar.gz")


def version():
    """The version in Cargo.toml."""
    text = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    return re.search(r'^\[workspace\.package\]\nversion = "([^"]+)"', text, re.M).group(1)


def licence_files():
    """The files of files.txt, by their name in an archive."""
    lines = (HERE / "files.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    return {name: (ROOT / source).read_bytes() for source, name in pairs}


def epoch():
    """The time of every file: SOURCE_DATE_EPOCH, or the first day that a zip can name."""
    return max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800)


def mode(name):
    """The program may be run; all else is data."""
    return 0o755 if re.search(r"(^|/)memora(\.exe)?$", name) else 0o644


def write_tar(path, files):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(files[name]), epoch(), mode(name)
            tar.addfile(entry, io.BytesIO(files[name]))
    # No name and no time in the header of gzip.
    path.write_bytes(gzip.compress(buffer.getvalue(), 6, mtime=0))


def write_zip(path, files):
    """Files in this order: that of a wheel ends with its record."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, time.gmtime(epoch())[:6])
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode(name)) << 16
            archive.writestr(entry, content)


def sha256(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def write_sums(folder):
    """SHA256SUMS of all files in a folder."""
    files = sorted(file for file in folder.iterdir() if file.is_file() and file.name != "SHA256SUMS")
    lines = [f"{sha256(file)}  {file.name}\n" for file in files]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8", newline="\n")


def read_sums(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return {name.lstrip("*"): digest for digest, name in (line.split(maxsplit=1) for line in lines if line)}
