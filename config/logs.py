"""What may stand in a log: never a personal link, which opens its player's pages to whoever reads it."""

import logging
import re

_PERSONAL = re.compile(r"(/my/)[^/\s?#\"'<>]+")
HIDDEN = r"\1***"


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
