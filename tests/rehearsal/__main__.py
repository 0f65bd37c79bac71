"""A small event on real processes, everything at once: `make rehearsal` (longer with REHEARSAL_PLAYERS and REHEARSAL_ROUNDS).

Ten desks enter results, readers open every public page, the worker draws each round and computes the tables, one round is
corrected and a player withdraws, while a web process, the worker and the folder of the broker are taken away once each. At
the end nothing may have answered 5xx, no result may be lost, each publication was seen within five seconds, and what is
stored is computed once more from nothing.
"""

from __future__ import annotations

import atexit
import os
import queue
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = int(os.environ.get("REHEARSAL_PLAYERS", "40"))
ROUNDS = int(os.environ.get("REHEARSAL_ROUNDS", "4"))
DESKS, READERS = 10, 4
SEEN_WITHIN = 5.0
PATIENCE = 120
OUTCOMES = ("WHITE", "DRAW", "BLACK")
CSRF = "r" * 32


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def children(pid: int) -> list[tuple[int, str]]:
    """(process, command) of all that descend from a process."""
    found: dict[int, tuple[int, str]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(entry.name)] = parent, (entry / "cmdline").read_text().replace("\0", " ")
        except (OSError, IndexError):
            continue
    below, waiting = [], [pid]
    while waiting:
        at = waiting.pop()
        for child, (parent, command) in found.items():
            if parent == at:
                below.append((child, command))
                waiting.append(child)
    return below


class Rehearsal:
    def __init__(self, address: str) -> None:
        self.address = address
        self.statuses: Counter[int] = Counter()
        self.cut = 0  # connections that broke, as they may when a process is killed
        self.over = threading.Event()
        self.faults: list[str] = []
        self.sent: dict[int, str] = {}
        self.seen: list[float] = []

    def ask(self, path: str, posted: dict[str, str] | None = None, session: str = "") -> tuple[int, bytes]:
        """The answer; a broken connection is tried again, as a browser's queue does."""
        headers = {"Cookie": f"sessionid={session}; csrftoken={CSRF}", "X-CSRFToken": CSRF} if session else {}
        data = urllib.parse.urlencode(posted).encode() if posted is not None else None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            request = urllib.request.Request(self.address + path, data=data, headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    found = answer.status, answer.read()
            except urllib.error.HTTPError as error:
                found = error.code, error.read()
            except OSError:
                self.cut += 1
                time.sleep(0.3)
                continue
            self.statuses[found[0]] += 1
            if found[0] >= 500:
                self.faults.append(f"{path}: {found[0]}")
            return found
        raise TimeoutError(path)

    def desk(self, boards: queue.Queue[tuple[int, str]], session: str) -> None:
        while True:
            try:
                pk, outcome = boards.get_nowait()
            except queue.Empty:
                return
            time.sleep(random.uniform(0.05, 0.3))
            path = f"/desk/pairings/{pk}/result/"
            posted = {f"version-{pk}": "0", f"was-{pk}": "", f"outcome-{pk}": outcome}
            status, _body = self.ask(path, posted, session)
            if status == 200:
                self.sent[pk] = outcome
            else:
                self.faults.append(f"{path}: {status}")

    def read(self, paths: list[str]) -> None:
        while not self.over.is_set():
            path = random.choice(paths)
            status, _body = self.ask(path)
            if status not in (200, 404):
                self.faults.append(f"{path}: {status}")

    def wait_to_see(self, path: str, words: str, since: float) -> None:
        while time.monotonic() - since < PATIENCE:
            status, body = self.ask(path)
            if status == 200 and words in body.decode():
                self.seen.append(time.monotonic() - since)
                return
            time.sleep(0.25)
        self.faults.append(f"{path} never showed {words}")


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="rehearsal-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # behind the database's own farewell
    port = free_port()
    os.environ |= {
        "VAR": str(folder / "var"), "PORT": str(port), "DJANGO_SETTINGS_MODULE": "config.settings",
        "READY_SECONDS": "300",
    }  # fmt: skip
    os.environ.pop("CELERY_BROKER_URL", None)
    site = subprocess.Popen(
        [sys.executable, "-m", "config.serve"], cwd=ROOT, stdin=subprocess.DEVNULL, start_new_session=True
    )
    try:
        faults = rehearse(site.pid, f"http://127.0.0.1:{port}", folder)
    finally:
        site.send_signal(signal.SIGTERM)
        site.wait(60)
    for fault in faults[:30]:
        print(f"FAULT {fault}")
    print("the rehearsal " + ("FAILED" if faults else "went well"))
    sys.exit(bool(faults))


def wait_until_up(address: str) -> None:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    raise TimeoutError("the site did not come up")


def rehearse(site: int, address: str, folder: Path) -> list[str]:
    wait_until_up(address)
    import django

    django.setup()
    from tests.rehearsal import stage

    section, organizer, session = stage.prepare(PLAYERS, ROUNDS)
    run = Rehearsal(address)
    base = f"/e/{section.event.code}/{section.code}/"
    names = (
        "",
        "standings/",
        "cross/",
        "results/",
        "players/",
        "info/",
        "screen/",
        "r/1/",
        "r/1/names/",
        "download/standings.csv",
    )
    paths = [base + name for name in names] + [
        f"/e/{section.event.code}/",
        "/",
        f"/e/{section.event.code}/-/notices/",
    ]
    readers = [threading.Thread(target=run.read, args=(paths,), daemon=True) for _reader in range(READERS)]
    for number in range(1, ROUNDS + 1):
        round_ = stage.publish(organizer, section, number)
        since = time.monotonic()
        if number == 1:
            for reader in readers:
                reader.start()
        run.wait_to_see(base, f"/r/{number}/", since)
        boards: queue.Queue[tuple[int, str]] = queue.Queue()
        for index, pk in enumerate(stage.open_boards(round_)):
            boards.put((pk, OUTCOMES[(index + number) % 3]))
        desks = [threading.Thread(target=run.desk, args=(boards, session)) for _desk in range(DESKS)]
        for desk in desks:
            desk.start()
        if number == 2:
            time.sleep(0.3)
            take_away(site, "granian")
        if number == 3:
            take_away(site, "celery")
        if number == 4:
            shutil.rmtree(folder / "var" / "broker", ignore_errors=True)
        for desk in desks:
            desk.join()
        if number == 2:
            run.sent |= stage.correct(organizer, section)
        if number == 3:
            stage.withdraw(organizer, section)
        print(
            f"round {number}: {len(run.sent)} results, {sum(run.statuses.values())} answers, {run.cut} connections cut",
            flush=True,
        )
    stage.wait_for_jobs(section)
    run.over.set()
    for reader in readers:
        reader.join(60)
    print(
        f"answers by status: {dict(run.statuses)}; a publication was seen after {max(run.seen):.2f} s at most"
    )
    late = [f"a publication was seen after {seconds:.1f} s" for seconds in run.seen if seconds > SEEN_WITHIN]
    return [*run.faults, *late, *stage.broken(section, run.sent)]


def take_away(site: int, what: str) -> None:
    """Kill a process of the site by force: the last started one whose command names it."""
    found = [pid for pid, command in children(site) if what in command]
    os.kill(max(found), signal.SIGKILL)
    print(f"killed one {what} process", flush=True)


if __name__ == "__main__":
    main()
