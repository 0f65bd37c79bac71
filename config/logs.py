"""What stands in a log: every line with the request or the job it belongs to, and never a personal link, which opens its
player's pages to whoever reads it.
"""

import json
import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from time import monotonic

from django.http import HttpRequest, HttpResponseBase

_PERSONAL = re.compile(r"(/my/)[^/\s?#\"'<>]+")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
HIDDEN = r"\1***"
HEADER = "X-Request-ID"

context: ContextVar[str] = ContextVar("context", default="-")
access = logging.getLogger("access")


class RequestLog:
    """Gives every request a number, which the answer and all its lines in the log carry, and writes one line about it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "")
        number = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        token = context.set(f"request {number}")
        began = monotonic()
        try:
            response = self.get_response(request)
            response.headers[HEADER] = number
            if access.isEnabledFor(logging.INFO):
                took = round(1000 * (monotonic() - began))
                access.info("%s %s %s %s ms", request.method, request.path, response.status_code, took)
            return response
        finally:
            context.reset(token)


class Context(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.context = context.get()
        return True


class HidePersonalLinks(logging.Filter):
    """Takes the secret out of every line, traces included, before it is written."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = hide(record.getMessage()), ()
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = hide(record.exc_text)
        return True


def hide(text: str) -> str:
    return _PERSONAL.sub(HIDDEN, text)


class JsonLines(logging.Formatter):
    """One JSON object a line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        kind, _blank, number = str(getattr(record, "context", "-")).partition(" ")
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if number:
            line[kind] = number
        if record.exc_text:
            line["trace"] = record.exc_text
        return json.dumps(line, ensure_ascii=False)
