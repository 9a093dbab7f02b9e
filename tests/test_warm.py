"""`tilewright warm` keeps what long runs need."""

import pytest
from commands import run, run_process


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "told", "play"),
    [
        ("cantonese", "compiled kernels that run over them are ready", "Its play by random players is compiled"),
        ("uzje", "one by one", "Random players play it move by move"),
    ],
)
def test_what_long_runs_need_is_kept(ruleset: str, told: str, play: str) -> None:
    pytest.importorskip("numba")
    done = run_process("warm", ruleset, env={"TILEWRIGHT_KERNELS": ""})
    assert done.returncode == 0 and told in done.stdout and play in done.stdout, done.stderr


def test_without_numba_the_tables_are_kept() -> None:
    done = run("warm", "cantonese")
    assert done.returncode == 0 and "Its tables are ready." in done.stdout
    assert "TILEWRIGHT_KERNELS=numpy" in done.stdout
