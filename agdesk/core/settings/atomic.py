"""Files that are either the old or the new content, never half of it."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Replaces ``path`` by ``content``: private (0600), on the disk before the old file goes, through symbolic links.

    Blocks for as long as the disk takes: not for the GUI thread while it has something to paint.

    Raises:
        OSError: it cannot be written; ``path`` is then as it was.
    """
    import tempfile  # here: nothing is written before the first paint

    target = Path(os.path.realpath(path))
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)  # mkstemp makes it 0600
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if os.name == "posix":  # the new name itself has to reach the disk; Windows has no such call
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
