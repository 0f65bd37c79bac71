"""Runs the server as its child, and stops it when the last holder has gone, even one that was killed by force.

Started by ``server`` only: ``python -m config.embedded.keeper FOLDER DURABLE``.
"""

import fcntl
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from config.embedded import server


def keep(folder: Path, *, durable: bool) -> int:
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    child = server.serve(folder, durable=durable)
    threading.Thread(target=_stop_when_alone, args=(folder, child), daemon=True).start()
    return child.wait()


def _stop_when_alone(folder: Path, child: "subprocess.Popen[bytes]") -> None:
    """Wait for the lock that only a server without users gives; then end the server while holding it."""
    holders = os.open(folder / "holders", os.O_RDWR | os.O_CLOEXEC)
    fcntl.flock(holders, fcntl.LOCK_EX)
    child.send_signal(signal.SIGINT)
    child.wait()
    os.close(holders)


if __name__ == "__main__":
    sys.exit(keep(Path(sys.argv[1]), durable=sys.argv[2] == "1"))
