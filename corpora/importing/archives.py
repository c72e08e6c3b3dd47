"""Zip archives: what is in them is read by its base name, and nothing is unpacked that would fill the disk."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from corpora.loading.sources import Unreadable

MOST_UNPACKED = 4 * 2**30  # bytes; what a zip may unpack to
MOST_RATIO = 200  # times its packed size; beyond it a zip is a bomb
SMALL = 2**20  # bytes of which no ratio harms
MOST_MEMBERS = 1000
ARCHIVES = (".zip", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".tar", ".zst")
TABLES = (
    ".csv", ".tsv", ".tab", ".txt", ".xlsx", ".xlsm", ".json", ".jsonl", ".ndjson", ".parquet", ".sqlite", ".sqlite3",
    ".db",
)  # fmt: skip


def check_sizes(path: Path, members: Sequence[zipfile.ZipInfo], most: int = MOST_UNPACKED) -> None:
    """Raise Unreadable where an archive says of itself that it is too large to be unpacked."""
    if len(members) > MOST_MEMBERS:
        raise Unreadable(f"{path.name} holds {len(members):,} files, and {MOST_MEMBERS:,} at most are read: split it")
    size, packed = sum(one.file_size for one in members), sum(one.compress_size for one in members)
    if size > most or (size > SMALL and size > MOST_RATIO * max(packed, 1)):
        raise Unreadable(
            f"{path.name} would unpack to {size:,} bytes: too much, so it is not opened. Bring the files themselves"
        )


def unzip(path: Path, unpacked: Path) -> list[Path]:
    """Unpack the tables in an archive under a folder; what is no table (a picture) is left. Raises Unreadable."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if not one.is_dir() and _counts(one.filename)]
            check_sizes(path, members)
            if inner := next((one.filename for one in members if _suffix(one) in ARCHIVES), ""):
                raise Unreadable(f"{path.name} holds another archive, {inner}: unpack that one first")
            members = [one for one in members if _suffix(one) in TABLES]
            if not members:
                raise Unreadable(f"{path.name} holds no table: {', '.join(TABLES)} are read")
            folder = Path(tempfile.mkdtemp(dir=unpacked))
            return [_unpack(path, archive, one, folder / str(number)) for number, one in enumerate(members)]
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, ValueError) as error:
        raise Unreadable(f"{path.name} is no zip archive that can be read: {error}") from error


def _counts(name: str) -> bool:
    return "__MACOSX" not in name and not Path(name).name.startswith(".")


def _suffix(member: zipfile.ZipInfo) -> str:
    return Path(member.filename).suffix.lower()


def _unpack(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path) -> Path:
    """Into a folder of its own, by its base name: never where the archive says."""
    folder.mkdir()
    target = folder / Path(member.filename).name
    with archive.open(member) as packed, target.open("wb") as file:
        left = member.file_size  # an archive may lie about it
        while data := packed.read(min(2**20, left + 1)):
            left -= len(data)
            if left < 0:
                raise Unreadable(f"{path.name}: {member.filename} is larger than the archive says")
            file.write(data)
    return target
