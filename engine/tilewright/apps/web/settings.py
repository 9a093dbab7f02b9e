"""Settings: how a server runs. Frozen data; made by whoever starts it, read by everything in it."""

from dataclasses import dataclass, field


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
    made: int = 12  # tables that a person makes in a minute
    strange: int = 3  # tables of one's own rules that a person keeps busy
    newcomers: int = 60  # people who come into being in a minute from one address; only where the server is public
    open: int = 1_500  # tables that a server plays at a time
    connections: int = 8_000
    per_address: int = 200  # connections from one address; only where the server is public
    waiting: int = 4_000_000  # bytes that wait for a client that does not take them
    requests: float = 30.0  # a second from one address,
    requests_burst: int = 300


@dataclass(frozen=True, slots=True)
class Settings:
    """`database`: a URL; `public`: strangers reach this server. `tables`, `thinkers`, `guests`, `jobs`: processes of
    each kind (see `houses`). `address`: where other servers on the same database reach this one, like
    http://10.0.0.7:8000. `lease`: seconds after which a server that says nothing has lost its tables; `idle`: seconds
    after which a table that nobody looks at is put away; `pause`: seconds that a result is looked at, at most."""

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
    limits: Limits = field(default_factory=Limits)

    @property
    def own_address(self) -> str:
        """Where other servers reach this one."""
        return self.address or f"http://{self.host}:{self.port}"
