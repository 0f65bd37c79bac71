from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.services.pdn_import import Report, import_tournament
from tournaments.audit import SYSTEM, Actor
from tournaments.encodings import Encoding
from tournaments.errors import SiteError
from tournaments.models import User


class Command(BaseCommand):
    help = "Build an event from a PDN file: players, rounds, boards, outcomes and games. The event is not public yet."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--name", default="", help="name of the event (default: the one most games name)")
        parser.add_argument(
            "--organizer", default="", help="user name of the account that will own the event"
        )
        parser.add_argument(
            "--encoding", default="", metavar="NAME",
            help=f"override the detected encoding: {', '.join(Encoding)}",
        )  # fmt: skip
        parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")

    def handle(
        self, *, file: Path, name: str, organizer: str, encoding: str, json: bool, **_options: Any
    ) -> None:
        try:
            report = import_tournament(
                _actor(organizer),
                file.read_bytes(),
                filename=file.name,
                name=name,
                encoding=encoding,
                is_trusted=True,
            )
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}", returncode=2) from None
        except SiteError as error:
            raise CommandError(f"{file}: {error}", returncode=2) from None
        self.stdout.write(_as_json(report) if json else _as_text(report))


def _actor(username: str) -> Actor:
    if not username:
        return SYSTEM
    user = User.objects.filter(username=username).first()
    if user is None:
        raise CommandError(f"there is no account {username!r}", returncode=2)
    return Actor(user=user)


def _as_json(report: Report) -> str:
    return json.dumps(report.as_json(), ensure_ascii=False)


def _as_text(report: Report) -> str:
    data = report.as_json()
    lines = [f"{data['name']} (/e/{data['event']}/), read as {data['encoding']}"]
    for section in data["sections"]:
        lines.append(
            f"\n{section['name']}: {len(section['players'])} players, {section['rounds']} rounds, "
            f"{section['pairings']} pairings, {section['games']} games"
        )
        lines += [f"  {player['points']:>4}  {player['name']}" for player in section["players"]]
    for title, remarks in (("Not placed", data["not_placed"]), ("Remarks", data["remarks"])):
        if remarks:
            lines.append(f"\n{title}:")
            lines += [
                f"  game {r['game']}, line {r['line']}: {r['kind']} {r['detail']}".rstrip() for r in remarks
            ]
    return "\n".join(lines)
