"""Fuzzing guided by coverage: `python tests/fuzz/run.py [--inputs N] [--seconds S] [TARGET ...]`, or `make fuzz`.

Each finding is written to `.fuzz/TARGET/findings` and shown once for each place where it fails. Inputs that reach new
code stay in `.fuzz/TARGET/inputs`, where the next run goes on.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import traceback
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parents[2] / ".fuzz"
HARD = 120  # seconds by the clock, after which an input is a finding and the run ends
MEMORY = 3_000  # MB of the process
LONGEST = 64_000  # bytes of an input


def main() -> int:
    """Fuzz the targets one after another, each in a process of its own; 1 if anything was found."""
    options = parsed()
    if options.alone:
        fuzz(options)
    names, before = options.targets or target_names(), found()
    codes = [subprocess.run([sys.executable, __file__, *sys.argv[1:], "--alone", name]).returncode for name in names]
    for path in sorted(new := found() - before):
        print(f"finding: {path}")
    return int(any(codes) or bool(new))


def found() -> set[Path]:
    """The files of all findings."""
    return set(FOLDER.glob("*/findings/*"))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fuzz targets; none named: all of them.")
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--inputs", type=int, default=100_000, help="how many inputs each target is given")
    parser.add_argument("--seconds", type=int, default=0, help="at most, for each target; 0: no limit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := set(options.targets) - set(target_names()):
        parser.error(f"no target is called {', '.join(sorted(unknown))}; there are {', '.join(target_names())}")
    return options


def target_names() -> list[str]:
    """The targets, without importing what they run."""
    text = Path(__file__).with_name("targets.py").read_text(encoding="utf-8")
    return re.findall(r'^ +Target\("(\w+)"', text, re.MULTILINE)


def fuzz(options: argparse.Namespace) -> None:
    """Fuzz one target; the fuzzer ends the process."""
    import atheris  # imported here: tests ask for the names of targets without it

    with atheris.instrument_imports(include=["tilewright"]):
        from fuzz.survival import survive
        from fuzz.targets import TARGETS, seeds_of
    target, folder = TARGETS[options.alone], FOLDER / options.alone
    inputs, findings = folder / "inputs", folder / "findings"
    for path in (inputs, findings):
        path.mkdir(parents=True, exist_ok=True)
    for seed in seeds_of(target):
        (inputs / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    known: set[str] = set()

    def once(data: bytes) -> None:
        try:
            survive(target, data)
        except Exception as error:
            if (place := place_of(error)) not in known:
                known.add(place)
                path = findings / hashlib.sha256(data).hexdigest()[:16]
                path.write_bytes(data)
                print(f"\n{target.name}: {path}\n{traceback.format_exc(limit=-8)}", file=sys.stderr, flush=True)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        chance = Random(seed)
        return atheris.Mutate(data, most) if chance.random() < 0.1 else target.mutated(data, chance)[:most]

    def cross(data: bytes, other: bytes, most: int, seed: int) -> bytes:
        return target.crossed(data, other, Random(seed))[:most]

    arguments = [
        sys.argv[0],
        f"-runs={options.inputs}",
        f"-seed={options.seed}",
        f"-timeout={HARD}",
        f"-rss_limit_mb={MEMORY}",
        f"-max_len={LONGEST}",
        f"-artifact_prefix={findings}/",
        "-print_final_stats=1",
        "-verbosity=0",
        "-report_slow_units=1000",
        *([f"-max_total_time={options.seconds}"] if options.seconds else []),
        str(inputs),
    ]
    print(f"{target.name}: {len(list(inputs.iterdir()))} inputs to begin with", file=sys.stderr, flush=True)
    atheris.Setup(arguments, once, custom_mutator=mutate, custom_crossover=cross)
    atheris.Fuzz()


def place_of(error: BaseException) -> str:
    """Where an error arose: findings of one place are one."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {frames[-1].filename}:{frames[-1].lineno}" if frames else repr(error)


if __name__ == "__main__":
    sys.path[:0] = [str(FOLDER.parent / "tests"), str(FOLDER.parent / "engine")]
    sys.exit(main())
