"""Settings: how a server runs. Frozen data; made by whoever starts it, read by everything in it."""

from dataclasses import dataclass, field

DAY = 86_400.0  # seconds
MOST_DELAY = 200  # answers that those who look on may be behind: the moments between are kept in memory
KEPT_IN_PUBLIC = 365 * DAY  # what a public server keeps, unless it is told otherwise


@dataclass(frozen=True, slots=True)
class Limits:
    """What one connection, person or server may do. Sizes in bytes, times in seconds."""

    message: int = 16_000
    make: int = 600_000  # of the one message that brings texts of rules
    body: int = 300_000  # of a request
    rate: float = 20.0  # messages a second,
    burst: int = 60  # and so many at once
    strikes: int = 200  # messages too fast or too large, after which a connection is closed
    tables: int = 20  # that a connection has joined
    made: int = 12  # tables that a person makes in a minute,
    made_from: int = 40  # and that people from one address make; only where the server is public
    untrusted: int = 3  # tables of untrusted rules that a person keeps busy,
    untrusted_from: int = 4  # and that people from one address do; only where the server is public
    newcomers: int = 60  # people who come into being in a minute from one address; only where the server is public
    open: int = 1_500  # tables that a server plays at a time,
    open_from: int = 200  # and for people from one address; only where the server is public
    connections: int = 8_000
    per_address: int = 200  # connections from one address; only where the server is public
    waiting: int = 4_000_000  # bytes that wait for a client that does not take them
    requests: float = 30.0  # a second from one address,
    requests_burst: int = 300  # and so many at once
    work: float = 4.0  # pieces of work a second that requests from one address make, beside what is known already,
    work_burst: int = 100  # and so many at once; only where the server is public
    work_waits: int = 12  # pieces of work from one address that wait to be done; only where the server is public
    bots_alone: float = 0.1  # that a bot takes at least where nobody else plays; only where the server is public


@dataclass(frozen=True, slots=True)
class Settings:
    """`database`: a URL; `public`: strangers reach this server. `tables`, `thinkers`, `guests`, `jobs`: processes of
    each kind (see `workers`). `address`: where other servers on the same database reach this one, like
    http://10.0.0.7:8000. `lease`: seconds after which a server that says nothing has lost its tables; `idle`: seconds
    after which a table that nobody looks at is closed; `pause`: seconds that a result is looked at, at most. `keep`:
    seconds for which ended tables, tables that never end and people who do not come any more are kept (None: for ever);
    `keep_guests`: those of them who left nothing behind; `purge`: seconds between two looks at who and what goes."""

    database: str = "sqlite:///tilewright.db"
    host: str = "127.0.0.1"
    port: int = 8765
    public: bool = False
    tables: int = 1
    thinkers: int = 1
    guests: int = 8
    jobs: int = 2
    address: str | None = None
    lease: float = 6.0
    idle: float = 60.0
    pause: float = 60.0
    keep: float | None = None
    keep_guests: float = 30 * DAY
    purge: float = 600.0
    limits: Limits = field(default_factory=Limits)

    @property
    def alone_seconds(self) -> float:
        """How long a bot takes at least where no person plays."""
        return self.limits.bots_alone if self.public else 0.0

    @property
    def own_address(self) -> str:
        """Where other servers reach this one."""
        return self.address or f"http://{self.host}:{self.port}"
