"""Logs: what the server reports of itself on stderr: as lines of text, or as lines of JSON for programs."""

import json
import logging
import time
from typing import Literal

LogFormat = Literal["text", "json"]
TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
LOGGERS = ("tilewright", "uvicorn", "asyncio")


class JsonLines(logging.Formatter):
    """Each record as an object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        found = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            found["error"] = self.formatException(record.exc_info)
        return json.dumps(found, ensure_ascii=False)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        return f"{seconds}.{int(record.msecs):03d}Z"


def write_logs(format: LogFormat) -> None:
    """Write what the server logs to stderr: what was done, and what failed."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if format == "json" else logging.Formatter(TEXT))
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if name == "tilewright" else logging.WARNING)
