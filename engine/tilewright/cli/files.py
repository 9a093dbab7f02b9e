"""Files that commands write, whole or not at all."""

import os
import shutil
import tempfile
from pathlib import Path

STDOUT = Path("-")


def write_whole(path: Path, text: str) -> None:
    """Write a file, in place of one that was there; whole or not at all."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_text(text, encoding="utf-8")  # a pipe or a device
        return
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".") as folder:
        draft = Path(folder) / target.name
        draft.write_text(text, encoding="utf-8")
        if target.exists():
            shutil.copymode(target, draft)
        os.replace(draft, target)
