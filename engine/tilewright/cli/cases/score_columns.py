"""A file of hands in columns (Parquet) in, a file of their scores out, some thousand rows at a time.

docs/many-hands.md has the columns. Knows no rule.
"""

import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from tilewright.authoring.open_rules import CannotBegin, RulesChoice, open_rules
from tilewright.cli.command import FINE
from tilewright.cli.games.result_files import is_columns, usable
from tilewright.cli.output import opened
from tilewright.scoring.rules import ScoringRules

ROWS = 1 << 16  # that are read and scored at once
COLUMNS = "docs/many-hands.md has the columns"


def score_columns(ruleset: str, choices: RulesChoice, file: str, out: str | None) -> int:
    """Score every row of the file. Raises CannotBegin."""
    if out is None or not is_columns(out):
        raise CannotBegin("scores of columns are columns, too", f"--out {Path(file).stem}_scores.parquet")
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")  # they come with an extra
    rules, target = open_rules(ruleset, choices), usable(out)
    stream = opened(file)
    try:
        source = parquet.ParquetFile(stream)
    except (OSError, arrow.ArrowException) as error:
        raise CannotBegin(f"{file} cannot be read: {str(error).splitlines()[0]}") from None
    with stream, source, tempfile.TemporaryDirectory(dir=target.resolve().parent, prefix=".") as folder:
        made, writer = Path(folder) / target.name, None
        for table in scores_of(rules, source, arrow):
            writer = writer or parquet.ParquetWriter(made, table.schema)
            writer.write_table(table)
        if writer is None:
            raise CannotBegin(f"{file} has no rows")
        writer.close()
        made.replace(target)
    return FINE


def scores_of(rules: ScoringRules, source: Any, arrow: Any) -> Iterator[Any]:
    """The scores of some rows after the other, as tables; all numbers are doubles."""
    from tilewright.scoring.batch import HandBatch, WrongRow

    done = 0
    for rows in source.iter_batches(ROWS):
        try:
            scores = rules.score_many(HandBatch.from_table(arrow.Table.from_batches([rows]))).to_table()
        except WrongRow as error:
            raise CannotBegin(f"row {done + error.row + 1}: {error.why}", COLUMNS) from None
        except (ValueError, TypeError, arrow.ArrowException) as error:
            raise CannotBegin(f"rows {done + 1} to {done + len(rows)}: {error}", COLUMNS) from None
        double = [
            field.with_type(arrow.float64()) if arrow.types.is_integer(field.type) else field for field in scores.schema
        ]
        done += len(rows)
        yield scores.cast(arrow.schema(double))
