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
    rate: float = 20.0  # messages a second from a connection,
    burst: int = 60  # and so many at once; some count as several
    rate_of_one: float = 40.0  # a second from all connections of a person,
    burst_of_one: int = 200  # and so many at once
    rate_from: float = 100.0  # a second from one address,
    burst_from: int = 600  # and so many at once; only on a public server
    bytes: float = 40_000.0  # a second from a connection,
    bytes_burst: int = 1_300_000  # and so many at once
    bytes_from: float = 200_000.0  # a second from one address,
    bytes_burst_from: int = 6_000_000  # and so many at once; only on a public server
    strikes: int = 30  # messages over a limit, after which a connection is closed
    tables: int = 20  # that a connection has joined
    made: int = 12  # tables that a person makes in a minute,
    made_from: int = 40  # and that people from one address make; only on a public server
    untrusted: int = 3  # tables of untrusted rules that a person keeps busy,
    untrusted_from: int = 4  # and that people from one address do; only on a public server
    misses: int = 20  # wrong codes of tables from one address, or of one person, at once,
    misses_again: float = 0.1  # and so many more a second; only on a public server
    newcomers: int = 60  # new people a minute from one address; only on a public server
    open: int = 1_500  # tables that a server plays at a time,
    open_from: int = 200  # and for people from one address; only on a public server
    connections: int = 8_000
    per_address: int = 200  # connections from one address; only on a public server
    connects_from: float = 4.0  # connections that are opened in a second from one address,
    connects_burst_from: int = 300  # and so many at once; only on a public server
    waiting: int = 1_000_000  # bytes queued for a client that does not read them,
    waiting_all: int = 100_000_000  # and for all clients: the one with most is closed first
    unread: int = 40  # messages of a client that a table has not handled
    onlookers: int = 60  # pages of spectators at a table,
    onlookers_from: int = 20  # of them from one address; only on a public server
    pages: int = 12  # of one person at a table
    bodies: int = 48_000_000  # bytes of requests that are arriving,
    bodies_from: int = 6_000_000  # and from one address
    requests_open: int = 1_000  # requests that are being answered,
    requests_open_from: int = 60  # and from one address; only on a public server
    cached: int = 48_000_000  # bytes of each cache; whoever filled most of it loses the oldest
    requests: float = 30.0  # a second from one address,
    requests_burst: int = 300  # and so many at once
    files: float = 100.0  # pages and their files that are sent in a second to one address,
    files_burst: int = 4_000  # and so many at once: a page that is opened for the first time is a hundred files
    work: float = 4.0  # jobs a second for requests from one address, without cached results,
    work_burst: int = 100  # and so many at once; only on a public server
    work_waits: int = 12  # queued jobs from one address; only on a public server
    bots_alone: float = 0.1  # minimum for a bot if only bots play; only on a public server


@dataclass(frozen=True, slots=True)
class Settings:
    """`database`: a URL; `public`: strangers can reach this server; `host_names`: by which pages reach it, besides IP
    addresses and those of this machine. `tables`, `thinkers`, `guests`, `jobs`: processes of each kind (see `workers`).
    `address`: where other servers on the same database reach this one, like http://10.0.0.7:8000. `lease`: seconds
    after which a silent server loses its tables; `idle`: seconds after which a table is closed that nobody keeps awake;
    `pause`: seconds that a result is shown, at most; `invite`: seconds for which an invite code is valid. `keep`:
    seconds for which ended tables, unfinished tables and people who do not return are kept (None: for ever);
    `keep_guests`: the same for people without any data; `purge`: seconds between two purges. `admin_token`,
    `metrics_token`: the secrets of those who run the server and of what reads its metrics (None: nobody may)."""

    database: str = "sqlite:///tilewright.db"
    host: str = "127.0.0.1"
    port: int = 8765
    public: bool = False
    host_names: tuple[str, ...] = ()
    tables: int = 1
    thinkers: int = 1
    guests: int = 8
    jobs: int = 2
    address: str | None = None
    lease: float = 6.0
    idle: float = 60.0
    pause: float = 60.0
    invite: float = 600.0
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
