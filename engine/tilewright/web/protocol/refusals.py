"""Refusals: why something is refused at a table or on a socket, in the page's languages. One function per
refusal."""

from collections.abc import Iterable, Mapping
from typing import Any

from tilewright.presentation.catalogue import translations

Text = str | Mapping[str, str]  # in one language (English), or by language


class Refused(Exception):
    """A refused request. `code` is a lower-case-with-hyphens name, `message` says why, `hint` what to do instead;
    `problems`: those of a document, as plain data; `status`: of the HTTP response."""

    def __init__(
        self,
        code: str,
        message: Text,
        status: int = 400,
        hint: Text | None = None,
        problems: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        self.code, self.status, self.problems = code, status, tuple(problems)
        self.message = by_language(message)
        self.hint = None if hint is None else by_language(hint)
        super().__init__(f"{code}: {self.message.get('en', '')}")

    def to_json(self) -> dict[str, Any]:
        """As data for a response or a message of a socket."""
        found: dict[str, Any] = {"code": self.code, "message": dict(self.message)}
        if self.hint is not None:
            found["hint"] = dict(self.hint)
        if self.problems:
            found["problems"] = [dict(problem) for problem in self.problems]
        return found


def by_language(text: Text) -> Mapping[str, str]:
    return {"en": text} if isinstance(text, str) else text


# --- refusals


def bad_message(id: str, **slots: object) -> Refused:
    return Refused("bad-message", translations(id, **slots))


def too_large(most: int) -> Refused:
    return Refused(
        "too-large",
        translations("server.message_too_large", most=f"{most:,}"),
        413,
    )


def too_fast() -> Refused:
    return Refused("too-fast", translations("server.too_fast"), 429)


def too_many(id: str) -> Refused:
    return Refused("too-many", translations(id), 429)


def other_host(name: str) -> Refused:
    """A request for a name that is not this server's (421: Misdirected Request)."""
    return Refused(
        "other-host",
        translations("server.other_host", name=name or "?"),
        421,
        translations("server.allow_host", name=name or "NAME"),
    )


def other_version(version: int) -> Refused:
    return Refused(
        "other-version",
        translations("server.other_version", version=version),
        hint=translations("server.open_again"),
    )


def hello_first() -> Refused:
    return bad_message("server.hello_first")


def unknown_table() -> Refused:
    return Refused(
        "unknown-table",
        translations("server.no_table"),
        404,
        translations("server.look_at_code"),
    )


def unknown_invite() -> Refused:
    return Refused(
        "unknown-table",
        translations("server.no_invite"),
        404,
        translations("server.ask_for_invite"),
    )


def not_invited() -> Refused:
    return Refused("not-allowed", translations("server.not_invited"), 403, translations("server.ask_for_invite"))


def removed() -> Refused:
    return Refused("removed", translations("server.removed"), 403)


def not_joined() -> Refused:
    return Refused("unknown-table", translations("server.join_first"))


def not_seated() -> Refused:
    return Refused("not-seated", translations("server.not_seated"))


def not_your_turn() -> Refused:
    return Refused("not-your-turn", translations("server.not_your_turn"))


def stale() -> Refused:
    return Refused("stale", translations("server.stale"))


def illegal_move(reason: Text) -> Refused:
    return Refused("illegal-move", reason)


def no_such_move() -> Refused:
    return illegal_move(translations("server.no_such_move"))


def seat_taken() -> Refused:
    return Refused("seat-taken", translations("server.seat_taken"))


def not_host() -> Refused:
    return Refused("not-host", translations("server.not_host"), 403)


def not_allowed(id: str) -> Refused:
    return Refused("not-allowed", translations(id), 403)


def bad_spec(problems: tuple[dict[str, object], ...]) -> Refused:
    return Refused("bad-spec", translations("server.bad_spec"), hint=None, problems=problems)


def wrong_seats(count: int) -> Refused:
    return Refused(
        "bad-spec",
        translations("server.wrong_seats", count=count),
    )


def broken(reason: Text) -> Refused:
    return Refused("broken", reason)


def went_wrong() -> Refused:
    return broken(translations("server.went_wrong"))


def server_of_other_version() -> Refused:
    return broken(translations("server.server_of_other_version"))


def draining() -> Refused:
    return Refused("draining", translations("server.draining"), 503, translations("server.other_time"))


def banned() -> Refused:
    return Refused("banned", translations("server.banned"), 403)


def full() -> Refused:
    return too_many("server.no_room")
