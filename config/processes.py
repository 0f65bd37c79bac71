"""The processes of a running site: started together, watched, and stopped together."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from config.problems import OperatorProblem

PR_SET_PDEATHSIG = 1
STOP_SECONDS = 15
SETTLED_SECONDS = 20  # a process that lived so long is worth starting again
ROOT = Path(__file__).resolve().parent.parent


class Processes:
    """Each child leads a process group of its own, so that Ctrl-C reaches only this process, which stops the
    children in order, and so that what a child started goes with it."""

    def __init__(self) -> None:
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._commands: dict[str, tuple[Sequence[str], float]] = {}

    def start(self, name: str, command: Sequence[str]) -> None:
        self._commands[name] = command, time.monotonic()
        self._running[name] = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=_end_with_parent()
        )

    def check(self) -> None:
        """Start again what has ended though it should run; OperatorProblem when it did so soon after its start."""
        for name, process in list(self._running.items()):
            if process.poll() is None:
                continue
            _signal_group(process, signal.SIGKILL)
            command, since = self._commands[name]
            told = f"the {name} ended by itself (exit code {process.returncode})"
            if time.monotonic() - since < SETTLED_SECONDS:
                raise OperatorProblem(f"{told}: see above.")
            print(f"{told}: started again.", file=sys.stderr, flush=True)
            self.start(name, command)

    def stop(self) -> None:
        """Ask all to end, wait, and end by force what is left of their groups."""
        for process in self._running.values():
            _signal_group(process, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        for process in self._running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=max(0.1, deadline - time.monotonic()))
            _signal_group(process, signal.SIGKILL)
            process.wait()
        self._running.clear()


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
