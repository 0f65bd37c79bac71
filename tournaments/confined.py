"""Reading of files from outside in a process of its own, which the kernel holds to limits of time and memory.

`run_confined` calls a function in a fresh interpreter. A file made to be slow or to unpack without end costs that
process its life and the site nothing: the other threads of the web process go on meanwhile. The result comes back
pickled; the other process runs the same code as the same user, so that is no wider door than a call.
"""

from __future__ import annotations

import importlib
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

from django.utils.translation import gettext_lazy as _

from tournaments.errors import BadInput, Busy

CPU_SECONDS = 2
MEMORY_MB = 256
WALL_SECONDS = 60  # for a machine with much else to do; the time of the processor is what counts
AT_ONCE = 2  # in one process of the site
WAIT_SECONDS = 20
ROOT = Path(__file__).resolve().parent.parent
# What an interpreter may need to start. Keys and passwords stay here.
_PASSED_ON = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
    "TMPDIR",
)

P = ParamSpec("P")
T = TypeVar("T")
_places = threading.BoundedSemaphore(AT_ONCE)


class TooCostly(BadInput):
    """The file could not be read within the limits."""

    code = "too-costly"
    text = _(
        "The file takes too long or too much memory to read. Split it, or save it again in a simpler form."
    )


def run_confined(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what the function returns, or raise what it raises. The function stands at the top of a module that loads
    without Django's settings.

    Raises TooCostly when it needs over CPU_SECONDS or MEMORY_MB, Busy when too many files are being read already.
    """
    call = pickle.dumps((function.__module__, function.__qualname__, args, kwargs))
    if not _places.acquire(timeout=WAIT_SECONDS):
        raise Busy
    try:
        done = subprocess.run(
            [sys.executable, "-m", __name__],
            input=call,
            capture_output=True,
            cwd=ROOT,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            timeout=WALL_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise TooCostly from None
    finally:
        _places.release()
    if done.returncode != 0:
        if done.returncode < 0 or b"MemoryError" in done.stderr:
            raise TooCostly
        raise RuntimeError(f"the reading process failed: {done.stderr.decode(errors='replace')[-2000:]}")
    value, error = pickle.loads(done.stdout)
    if error is not None:
        raise error
    return cast(T, value)


def _main() -> None:
    """Make one call read from standard input; the limits begin once its module is loaded."""
    module, name, args, kwargs = pickle.loads(sys.stdin.buffer.read())
    function = getattr(importlib.import_module(module), name)
    _limit()
    value, error = None, None
    try:
        value = function(*args, **kwargs)
    except MemoryError:
        raise
    except Exception as raised:
        raised.add_note(traceback.format_exc())
        error = raised.with_traceback(None)
    sys.stdout.buffer.write(pickle.dumps((value, error)))


def _limit() -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(
        used.ru_utime + used.ru_stime + CPU_SECONDS + 1
    )  # behind the finer timer, which comes first
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    memory = mapped + MEMORY_MB * 1024 * 1024
    for kind, limit in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (limit, limit))


if __name__ == "__main__":
    _main()
