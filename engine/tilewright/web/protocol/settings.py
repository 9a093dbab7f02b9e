"""Settings: how a server runs. Frozen data; made once at the start, read everywhere."""

from dataclasses import dataclass, field

DAY = 86_400.0  # seconds
MOST_DELAY = 200  # answers that spectators may be behind: the moments between are kept in memory
KEPT_IN_PUBLIC = 365 * DAY  # how long a public server keeps data by default


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a connection, person or server. Sizes in bytes, times in seconds."""

    message: int = 16_000
    make: int = 600_000  # of the one message with texts of rules
    body: int = 300_000  # of a request
    rate: float = 20.0  # messages a second,
    burst: int = 60  # and so many at once
    strikes: int = 200  # messages over a limit, after which a connection is closed
    tables: int = 20  # that a connection has joined
    made: int = 12  # tables that a person makes in a minute,
    made_from: int = 40  # and that people from one address make; only on a public server
    untrusted: int = 3  # tables of untrusted rules that a person keeps busy,
    untrusted_from: int = 4  # and that people from one address do; only on a public server
    newcomers: int = 60  # new people a minute from one address; only on a public server
    open: int = 1_500  # tables that a server plays at a time,
    open_from: int = 200  # and for people from one address; only on a public server
    connections: int = 8_000
    per_address: int = 200  # connections from one address; only on a public server
    waiting: int = 4_000_000  # bytes queued for a client that does not read them
    requests: float = 30.0  # a second from one address,
    requests_burst: int = 300  # and so many at once
    work: float = 4.0  # jobs a second for requests from one address, without cached results,
    work_burst: int = 100  # and so many at once; only on a public server
    work_waits: int = 12  # queued jobs from one address; only on a public server
    bots_alone: float = 0.1  # minimum for a bot if only bots play; only on a public server


@dataclass(frozen=True, slots=True)
class Settings:
    """`database`: a URL; `public`: strangers can reach this server. `tables`, `thinkers`, `guests`, `jobs`: processes
    of each kind (see `workers`). `address`: where other servers on the same database reach this one, like
    http://10.0.0.7:8000. `lease`: seconds after which a silent server loses its tables; `idle`: seconds after which a
    table without pages is closed; `pause`: seconds that a result is shown, at most. `keep`: seconds for which ended
    tables, unfinished tables and people who do not return are kept (None: for ever); `keep_guests`: the same for people
    without any data; `purge`: seconds between two purges. `admin_token`, `metrics_token`: the
    secrets of those who run the server and of what reads its metrics (None: nobody may)."""

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
    admin_token: str | None = field(default=None, repr=False)
    metrics_token: str | None = field(default=None, repr=False)
    limits: Limits = field(default_factory=Limits)

    @property
    def alone_seconds(self) -> float:
        """The least seconds that a bot takes if no person plays."""
        return self.limits.bots_alone if self.public else 0.0

    @property
    def own_address(self) -> str:
        """The address at which other servers reach this one."""
        return self.address or f"http://{self.host}:{self.port}"
