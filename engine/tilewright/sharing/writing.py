"""Writing: a file whole or not at all, with the usual rights of the user's files."""

import os
import tempfile
from pathlib import Path


def write_file(path: Path, content: bytes) -> None:
    """Write a file in place of one that was there."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o666 & ~current_umask())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def current_umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask
