"""`tilewright warm` keeps what long runs need."""

import pytest
from commands import run, run_process
from conftest import COMPILES


@pytest.mark.slow
@pytest.mark.timeout(COMPILES)
@pytest.mark.xdist_group("compiled_play")  # which keeps the same kernels
@pytest.mark.parametrize(
    ("ruleset", "told"),
    [("cantonese", "compiled kernels that run over them are ready"), ("american", "one by one")],
)
def test_what_long_runs_need_is_kept(ruleset: str, told: str) -> None:
    pytest.importorskip("numba")
    done = run_process("warm", ruleset, env={"TILEWRIGHT_KERNELS": ""}, hangs=COMPILES)
    assert done.returncode == 0 and told in done.stdout and "Its play by bots is compiled" in done.stdout, done.stderr


def test_without_numba_the_tables_are_kept() -> None:
    done = run("warm", "cantonese")
    assert done.returncode == 0 and "Its tables are ready." in done.stdout
    assert "TILEWRIGHT_KERNELS=numpy" in done.stdout
