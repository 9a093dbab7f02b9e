"""Refusals: why something is refused at a table or on a socket, in the languages of the page. One function per
refusal."""

from collections.abc import Iterable, Mapping
from typing import Any

Text = str | Mapping[str, str]  # in one language (English), or by language


class Refused(Exception):
    """Something is not done. `code` is a lower-case-with-hyphens name, `message` says why, `hint` what to do instead;
    `problems`: those of a document, as plain data; `status`: of the answer to a request."""

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
        """As it is told in an answer, and in a message of a socket."""
        found: dict[str, Any] = {"code": self.code, "message": dict(self.message)}
        if self.hint is not None:
            found["hint"] = dict(self.hint)
        if self.problems:
            found["problems"] = [dict(problem) for problem in self.problems]
        return found


def by_language(text: Text) -> Mapping[str, str]:
    return {"en": text} if isinstance(text, str) else text


# --- what is refused


def bad_message(what: str, zh: str) -> Refused:
    return Refused("bad-message", {"en": what, "zh": zh})


def too_large(most: int) -> Refused:
    return Refused(
        "too-large",
        {"en": f"a message has at most {most:,} bytes", "zh": f"訊息最多 {most:,} 位元組"},
        413,
    )


def too_fast() -> Refused:
    return Refused("too-fast", {"en": "that was too fast: wait a moment", "zh": "太快了，請稍候"}, 429)


def too_many(en: str, zh: str) -> Refused:
    return Refused("too-many", {"en": en, "zh": zh}, 429)


def other_version(version: int) -> Refused:
    return Refused(
        "other-version",
        {"en": f"this server speaks version {version}", "zh": f"伺服器使用第 {version} 版協定"},
        hint={"en": "open the page again", "zh": "請重新開啟頁面"},
    )


def hello_first() -> Refused:
    return bad_message("say hello first", "請先說 hello")


def unknown_table() -> Refused:
    return Refused(
        "unknown-table",
        {"en": "there is no such table", "zh": "沒有這一桌"},
        404,
        {"en": "a code has five letters: check it", "zh": "代碼是五個字母，請再看一次"},
    )


def not_joined() -> Refused:
    return Refused(
        "unknown-table", {"en": "you have not joined this table: join it first", "zh": "你不在這一桌，請先加入"}
    )


def not_seated() -> Refused:
    return Refused("not-seated", {"en": "you have no seat at this table", "zh": "你沒有坐在這一桌"})


def not_your_turn() -> Refused:
    return Refused("not-your-turn", {"en": "it is not your turn", "zh": "現在沒有輪到你"})


def stale() -> Refused:
    return Refused("stale", {"en": "the game has moved on", "zh": "牌桌已經繼續進行了"})


def illegal_move(reason: Text) -> Refused:
    return Refused("illegal-move", reason)


def no_such_move() -> Refused:
    return illegal_move({"en": "this move is not possible now", "zh": "現在不能這樣做"})


def seat_taken() -> Refused:
    return Refused("seat-taken", {"en": "this seat is taken", "zh": "這個座位已經有人了"})


def not_host() -> Refused:
    return Refused("not-host", {"en": "only the host may do that", "zh": "只有開桌的人可以這樣做"}, 403)


def not_allowed(en: str, zh: str) -> Refused:
    return Refused("not-allowed", {"en": en, "zh": zh}, 403)


def bad_spec(problems: tuple[dict[str, object], ...]) -> Refused:
    return Refused("bad-spec", {"en": "this cannot be played", "zh": "這套規則無法開桌"}, hint=None, problems=problems)


def wrong_seats(count: int) -> Refused:
    return Refused(
        "bad-spec",
        {"en": f"these rules have {count} seats: say who sits on each", "zh": f"這套規則有 {count} 個座位，請逐一設定"},
    )


def broken(reason: Text) -> Refused:
    return Refused("broken", reason)


def went_wrong() -> Refused:
    return broken({"en": "something went wrong on the server", "zh": "伺服器發生錯誤"})


def full() -> Refused:
    return too_many("this server cannot open another table now", "伺服器目前無法再開新桌")
