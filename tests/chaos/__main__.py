"""Strike a server while people play, and see what is lost: `make chaos CHAOS="--minutes 30 --database postgresql"`.

The exit code is 1 if an acknowledged move is lost or doubled, a log does not verify, or somebody cannot go on.
"""

import argparse
import asyncio
import secrets
import signal
import sys

from chaos.faults import FAULTS
from chaos.run import Plan, run
from tilewright.cli.commands.table.serve import allow_connections


def main() -> int:
    plan = asked()
    allow_connections()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # all that was started ends first
    print(f"seed {plan.seed}: {plan.database}, {plan.servers} servers, {plan.tables} tables, {plan.minutes:g} minutes")
    outcome = asyncio.run(run(plan))
    print(outcome.summary)
    return 0 if outcome.is_good else 1


def asked() -> Plan:
    parser = argparse.ArgumentParser(prog="make chaos", description="Strike a server while people play.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--servers", type=int, help="on one database; by default 1 on SQLite, 2 on PostgreSQL")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", type=int, help="of the faults and the moves; by default a new one")
    names = [fault.name for fault in FAULTS]
    parser.add_argument(
        "--fault", action="append", choices=names, metavar="NAME", help=f"only these: {', '.join(names)}"
    )
    found = parser.parse_args()
    servers = found.servers or (1 if found.database == "sqlite" else 2)
    seed = secrets.randbelow(1_000_000) if found.seed is None else found.seed
    return Plan(found.minutes, found.database, servers, found.tables, seed, tuple(found.fault or names))


if __name__ == "__main__":
    sys.exit(main())
