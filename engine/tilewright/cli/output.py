"""Output: problems and data as commands print them."""

import json
import sys
from collections.abc import Sequence

from tilewright.base.problem import Problem


def show_problems(problems: Sequence[Problem]) -> None:
    """Print problems on stderr, coloured on a terminal."""
    from tilewright.presentation.console import console_for
    from tilewright.presentation.problems import render_text

    sys.stdout.flush()
    sys.stderr.write(render_text(problems, console_for(sys.stderr).color_system is not None))


def print_json(value: object, indent: int | None = None) -> None:
    """Print data for programs."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=indent) + "\n")
    sys.stdout.flush()
