"""Make the tables of the grammars: for each `.lark` file of the engine the `.json` file beside it.

    python tools/make_grammars.py

Run it when a grammar has changed, or the version of lark in `lock/`. Tables that do not fit are not used, which costs
a tenth of a second whenever a ruleset is checked.
"""

from typing import get_args

from tilewright.base.grammar import write_tables
from tilewright.cards import line
from tilewright.language.expressions import syntax

if __name__ == "__main__":
    write_tables(syntax.GRAMMAR, *get_args(syntax.Mode))
    write_tables(line.GRAMMAR, "line")
