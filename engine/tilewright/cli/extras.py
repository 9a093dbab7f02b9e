"""Extras: which `pip install` brings a package that only some commands need. Knows no package by name."""

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires

from tilewright.authoring.open_rules import CannotBegin

REQUIREMENT = re.compile(r"""([\w.-]+).*;\s*extra\s*==\s*['"](\w+)['"]""")


def missing_package(error: ModuleNotFoundError) -> CannotBegin:
    """The problem of a package that is not installed. Raises the error again if none of our extras has it."""
    package = (error.name or "").partition(".")[0]
    extra = next((extra for name, extra in extras() if name == package), None)
    if extra is None:
        raise error
    return CannotBegin(f"this needs {package}, which is not installed", f"pip install 'tilewright[{extra}]'")


def extras() -> Iterator[tuple[str, str]]:
    """Import names of packages, each with an extra that installs it; that of `X-python` is `X`."""
    try:
        found = requires("tilewright") or []
    except PackageNotFoundError:  # a copy that was never installed
        return
    for requirement in found:
        if (parts := REQUIREMENT.match(requirement)) and parts[2] != "all":
            yield re.sub(r"[-.]", "_", parts[1]).lower().removesuffix("_python"), parts[2]
