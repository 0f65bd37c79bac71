"""The processes of a running site: started together, watched, and stopped together."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from config.problems import OperatorProblem

PR_SET_PDEATHSIG = 1
STOP_SECONDS = 15
SETTLED_SECONDS = 20  # after so long a life the next start follows at once again
LONGEST_PAUSE = 30.0
ROOT = Path(__file__).resolve().parent.parent


@dataclass(slots=True)
class _Kept:
    """A process that is to run for as long as the site does."""

    command: Sequence[str]
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    pause: float = 0.0
    again_at: float = 0.0


class Processes:
    """Each child leads a process group of its own, so that Ctrl-C reaches only this process, which stops the
    children in order, and so that what a child started goes with it.

    One that ends is started again, after pauses that grow while it keeps ending soon; the others go on meanwhile.
    """

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    def start(self, name: str, command: Sequence[str]) -> None:
        self._kept[name] = _Kept(command)
        self._launch(self._kept[name])

    def check(self, *, must_stay: Sequence[str] = ()) -> None:
        """Start again what has ended and whose pause is over. OperatorProblem for the end of one that must stay."""
        now = time.monotonic()
        for name, kept in self._kept.items():
            if kept.process is not None and kept.process.poll() is not None:
                _signal_group(kept.process, signal.SIGKILL)
                said = f"the {name} ended by itself (exit code {kept.process.returncode})"
                if name in must_stay:
                    raise OperatorProblem(f"{said}: see above.")
                kept.pause = 0.0 if now - kept.started_at >= SETTLED_SECONDS else _next_pause(kept.pause)
                kept.process, kept.again_at = None, now + kept.pause
                print(f"{said}: starting it again in {kept.pause:.0f} s.", file=sys.stderr, flush=True)
            if kept.process is None and now >= kept.again_at:
                self._launch(kept)

    def _launch(self, kept: _Kept) -> None:
        kept.started_at = time.monotonic()
        try:
            kept.process = subprocess.Popen(
                kept.command,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=_end_with_parent(),
            )
        except OSError as error:  # no memory or no process left, for now
            kept.pause = _next_pause(kept.pause)
            kept.again_at = time.monotonic() + kept.pause
            print(f"{kept.command[0]}: {error}; trying again.", file=sys.stderr, flush=True)

    def stop(self) -> None:
        """Ask all to end, wait, and end by force what is left of their groups."""
        running = [kept.process for kept in self._kept.values() if kept.process is not None]
        for process in running:
            _signal_group(process, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=max(0.1, deadline - time.monotonic()))
            _signal_group(process, signal.SIGKILL)
            process.wait()
        self._kept.clear()


def _next_pause(pause: float) -> float:
    return min(LONGEST_PAUSE, max(1.0, pause * 2))


def _signal_group(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return


def _end_with_parent() -> Callable[[], None] | None:
    """Have the kernel end the child when this process is killed by force and can end nothing itself."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl

    def enter() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    return enter
