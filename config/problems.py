"""What an operator can put right, told in one sentence instead of a traceback."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class OperatorProblem(Exception):
    """Something outside the program is wrong; the message says what and what to do about it."""


@contextmanager
def one_sentence() -> Iterator[None]:
    """End the process with the one sentence of an operator's problem; let real faults keep their traceback."""
    try:
        yield
    except OperatorProblem as problem:
        sys.exit(f"Error: {problem}")
    except BrokenPipeError:  # whoever reads the lines has enough of them
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        sentence = _sentence(error)
        if sentence is None:
            raise
        sys.exit(f"Error: {sentence}")


def _sentence(error: BaseException) -> str | None:
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return f"the disk is full: free some space for {error.filename or 'the data folder'} and start again."
    return _from_database(error)


def _from_database(error: BaseException) -> str | None:
    from django.db.utils import OperationalError
    from psycopg import OperationalError as DriverError
    from psycopg.errors import DiskFull

    cause = error.__cause__
    if not isinstance(error, OperationalError) or not isinstance(cause, DriverError):
        return None
    if isinstance(cause, DiskFull):
        return "the disk of the database is full: free some space and start again; nothing was half written."
    # A failed connection carries no SQLSTATE; an error answered by a running server does.
    if cause.sqlstate is not None or not os.environ.get("DATABASE_URL"):
        return None
    detail = " ".join(str(cause).split())
    return f"the database of DATABASE_URL cannot be reached ({detail}): check the address, or unset DATABASE_URL."
