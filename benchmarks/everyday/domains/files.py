"""A little in-memory file cabinet."""

from fnmatch import fnmatch

_FILES = {
    "/docs/report.txt": "sales went up in spring and down again in autumn",
    "/docs/notes.md": "call the plumber then write the plan",
    "/data/sales.csv": "month,sum\n1,20\n2,30",
    "/data/2024.csv": "day,sum\n" + "1,2\n" * 40,
    "/data/readme.txt": "two tables",
    "/temp/cache.bin": "x" * 512,
    "/temp/old.log": "start\nstop",
}
_PROTECTED = set()


def _inside(folder: str) -> list:
    prefix = folder.rstrip("/") + "/"
    return sorted(p for p in _FILES if p.startswith(prefix))


def file_size(path: str) -> int:
    """Size of a file in bytes.

    Args:
        path: Full path, e.g. /docs/report.txt.
    """
    return len(_FILES[path].encode())


def list_files(folder: str = "/", pattern: str = "*") -> list[str]:
    """List the files in a folder.

    Args:
        folder: Folder to look in, e.g. /docs.
        pattern: Only files whose name matches, e.g. *.txt.
    """
    return [p for p in _inside(folder) if fnmatch(p.rsplit("/", 1)[1], pattern)]


def largest_file(folder: str) -> str:
    """Path of the largest file in a folder."""
    return max(_inside(folder), key=lambda p: len(_FILES[p]))


def count_words(path: str) -> int:
    """Count the words in a text file."""
    return len(_FILES[path].split())


def delete_file(path: str) -> bool:
    """Delete a file.

    Args:
        path: Full path of the file.
    """
    if path in _PROTECTED:
        return False
    del _FILES[path]
    return True


def move_file(source: str, target: str) -> str:
    """Move a file to another place or give it a new name.

    Args:
        source: Path of the file now.
        target: New path of the file.
    """
    _FILES[target] = _FILES.pop(source)
    return target


def shelve(path: str, days: int = 30) -> str:
    """Put a file aside in the /shelf folder, where it is removed after some days.

    Args:
        path: Full path of the file.
        days: How many days to keep it.
    """
    target = "/shelf/" + path.rsplit("/", 1)[1]
    _FILES[target] = _FILES.pop(path)
    return f"{target} for {days} days"


def protect(path: str, protected: bool = True) -> bool:
    """Protect a file against changes, or lift the protection.

    Args:
        path: Full path of the file.
        protected: True to protect, False to lift the protection.
    """
    (_PROTECTED.add if protected else _PROTECTED.discard)(path)
    return path in _PROTECTED


EFFECTS = {"delete_file", "move_file", "shelve", "protect"}
