"""Logs: one JSON object a line, without secrets: no cookie, token, address, match id or action."""

import json
import logging
import time
import traceback
from typing import Any, Final

EXTRA_FIELDS: Final = ("reason", "route")
"""The extra fields a log line may have."""


class JsonFormatter(logging.Formatter):
    """A log record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, source, message, and for a fault its kind and place, but never its values."""
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "source": record.name,
            "message": record.getMessage(),
        }
        line |= {field: value for field in EXTRA_FIELDS if (value := getattr(record, field, None))}
        if record.exc_info and record.exc_info[1] is not None:
            line |= _fault(record.exc_info[1])
        return json.dumps(line)


def _fault(error: BaseException) -> dict[str, Any]:
    """Return the kind of an error and its place; its text may hold what somebody typed."""
    frames = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    places = [f"{code.co_filename.rsplit('/', 1)[-1]}:{line} {code.co_name}" for code, line in frames]
    return {"error": type(error).__name__, "at": places}


def log_config(level: str) -> dict[str, Any]:
    """Return the configuration of all loggers."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "kemu.server.logs.JsonFormatter"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"level": level.upper(), "handlers": ["stderr"]},
        # uvicorn logs the addresses of requests and sockets, which hold ids of private matches.
        "loggers": {
            "uvicorn.access": {"level": "CRITICAL", "propagate": False},
            "uvicorn.error": {"level": "WARNING"},
            "websockets": {"level": "WARNING"},
        },
    }
