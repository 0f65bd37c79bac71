"""A full hall on real processes: phones that follow, desks that enter results, a round drawn and published meanwhile.

``python -m tests.rehearsal.load`` prints what was measured. LOAD_PHONES, LOAD_PLAYERS, LOAD_RESULTS and LOAD_MINUTES set its
size: 2000, 2000, 1000 and 10 are the hall at its fullest. Phones behave as the page does: each asks for the event's version
every four seconds and loads its page when that has changed.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from tests.rehearsal.__main__ import CSRF, ROOT, free_port, wait_until_up

PHONES = int(os.environ.get("LOAD_PHONES", "200"))
PLAYERS = int(os.environ.get("LOAD_PLAYERS", "200"))
RESULTS = int(os.environ.get("LOAD_RESULTS", "100"))
MINUTES = float(os.environ.get("LOAD_MINUTES", "1"))
DESKS = 10
EVERY = 4.0
OUTCOMES = ("WHITE", "DRAW", "BLACK")


class Connection:
    """One kept-alive connection of a browser."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, *, headers: str = "", body: str = "") -> tuple[int, dict[str, str], bytes]:
        """The status, headers and body of the answer; asked once more when the server had closed the connection."""
        for attempt in (1, 2):
            try:
                return await self._ask(path, headers, body)
            except (OSError, EOFError):
                self.streams = None
                if attempt == 2:
                    raise
        raise AssertionError

    async def _ask(self, path: str, headers: str, body: str) -> tuple[int, dict[str, str], bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        method = "POST" if body else "GET"
        kind = "Content-Type: application/x-www-form-urlencoded\r\n" if body else ""
        writer.write(
            (
                f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept-Encoding: gzip\r\n"
                f"Accept-Language: zh-hans\r\n{headers}{kind}Content-Length: {len(body)}\r\n\r\n{body}"
            ).encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        status = int(head[0].split()[1])
        told = {name.lower(): value.strip() for name, _c, value in (line.partition(":") for line in head[1:])}
        if "content-length" in told:
            content = await reader.readexactly(int(told["content-length"]))
        else:
            content = b"" if status == 304 else await self._chunks(reader)
        return status, told, content

    async def _chunks(self, reader: asyncio.StreamReader) -> bytes:
        found = b""
        while size := int((await reader.readuntil(b"\r\n")).strip(), 16):
            found += (await reader.readexactly(size + 2))[:-2]
        await reader.readuntil(b"\r\n")
        return found


class Hall:
    def __init__(self, port: int, event: str, section: str) -> None:
        self.port, self.event, self.section = port, event, section
        self.statuses: Counter[int] = Counter()
        self.times: dict[str, list[float]] = {"version": [], "page": [], "result": [], "publication": []}
        self.bytes = 0
        self.failures: list[str] = []
        self.published_at = 0.0
        self.over = False

    async def timed(
        self, kind: str, connection: Connection, path: str, **sent: str
    ) -> tuple[int, Any, bytes]:
        began = time.perf_counter()
        try:
            status, told, content = await connection.ask(path, **sent)
        except (OSError, EOFError) as error:
            self.failures.append(f"{path}: {error!r}")
            return 0, {}, b""
        self.times[kind].append(time.perf_counter() - began)
        self.statuses[status] += 1
        self.bytes += len(content)
        if status >= 400:
            self.failures.append(f"{path}: {status}")
        return status, told, content

    async def phone(self, page: str) -> None:
        """Open a page, then follow it; of the publication it is kept how long after it this page showed it."""
        await asyncio.sleep(random.uniform(0, EVERY))
        connection, version, tag, has_seen = Connection(self.port), "", "", False
        while not self.over:
            began = time.perf_counter()
            _status, _told, content = await self.timed(
                "version", connection, f"/e/{self.event}/-/version.json"
            )
            now = json.loads(_unpacked(content))["sections"][self.section] if content else version
            if now != version:
                headers = f"If-None-Match: {tag}\r\n" if tag else ""
                status, told, content = await self.timed("page", connection, page, headers=headers)
                tag = told.get("etag", tag)
                version = _version_in(content) if status == 200 else now
                if self.published_at and not has_seen and version == now and began > self.published_at:
                    has_seen = True
                    self.times["publication"].append(time.perf_counter() - self.published_at)
            await asyncio.sleep(EVERY * random.uniform(0.9, 1.1))

    async def desk(self, boards: list[tuple[int, str]], session: str, pause: float) -> None:
        connection = Connection(self.port)
        headers = f"Cookie: sessionid={session}; csrftoken={CSRF}\r\nX-CSRFToken: {CSRF}\r\n"
        for pk, outcome in boards:
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            posted = urllib.parse.urlencode({f"version-{pk}": "0", f"was-{pk}": "", f"outcome-{pk}": outcome})
            await self.timed(
                "result", connection, f"/desk/pairings/{pk}/result/", headers=headers, body=posted
            )


def _unpacked(content: bytes, most: int = 0) -> bytes:
    if content[:2] != b"\x1f\x8b":
        return content
    return zlib.decompressobj(wbits=31).decompress(content, most)


def _version_in(page: bytes) -> str:
    """The version that the page names itself, which may be that before the last."""
    found = re.search(rb'data-version="([^"]*)"', _unpacked(page, 16_384))
    return found[1].decode() if found else ""


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="load-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
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
        wait_until_up(f"http://127.0.0.1:{port}")
        hall = run(port)
    finally:
        site.send_signal(signal.SIGTERM)
        site.wait(60)
    tell(hall)
    sys.exit(bool(hall.failures))


def run(port: int) -> Hall:
    import django

    django.setup()
    from tests.rehearsal import stage
    from tests.tournaments import crowd

    section, organizer, session = stage.prepare(0, 3)
    crowd.enter(section, PLAYERS)
    round_ = stage.publish(organizer, section, 1)
    boards = [(pk, OUTCOMES[index % 3]) for index, pk in enumerate(stage.open_boards(round_))]
    hall = Hall(port, section.event.code, section.code)
    base = f"/e/{section.event.code}/{section.code}/"

    print("round 1 is published", flush=True)

    def publish_next() -> None:
        stage.publish(organizer, section, 2)
        hall.published_at = time.perf_counter()

    async def fill() -> None:
        pages = (f"{base}r/1/", f"{base}standings/")
        phones = [asyncio.create_task(hall.phone(random.choice(pages))) for _phone in range(PHONES)]
        await asyncio.sleep(2 * EVERY)
        now, rest = boards[:RESULTS], boards[RESULTS:]
        pause = MINUTES * 60 * DESKS / max(len(now), 1)
        await asyncio.gather(*(hall.desk(now[at::DESKS], session, pause) for at in range(DESKS)))
        await asyncio.gather(*(hall.desk(rest[at::DESKS], session, 0.02) for at in range(DESKS)))
        await asyncio.to_thread(publish_next)
        await asyncio.sleep(5 * EVERY)
        hall.over = True
        await asyncio.gather(*phones)

    asyncio.run(fill())
    return hall


def tell(hall: Hall) -> None:
    print(
        f"{PHONES} phones, {PLAYERS} players, {len(hall.times['result'])} results in {MINUTES} minutes from {DESKS} desks"
    )
    print(f"answers by status: {dict(hall.statuses)}, {hall.bytes / 1e6:.0f} MB")
    for kind, times in hall.times.items():
        found = sorted(times)
        if found:
            p50, p95 = found[len(found) // 2], found[int(len(found) * 0.95)]
            print(
                f"{kind}: {len(found)}, half within {p50 * 1000:.0f} ms, 95 % within {p95 * 1000:.0f} ms, at most {found[-1] * 1000:.0f} ms"
            )
    for failure in hall.failures[:20]:
        print(f"FAULT {failure}")


if __name__ == "__main__":
    main()
