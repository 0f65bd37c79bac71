"""Writing what a report file of teams says: teams with their players, matches with their boards."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from django.utils import timezone

from tournaments.engine import roundrobin
from tournaments.engine.trf import ReportMatch, TeamReport
from tournaments.engine.types import STANDARD, Outcome
from tournaments.formats import kept
from tournaments.importers.identity import Named, refuse_person_twice, year_of
from tournaments.models import (
    Adjustment,
    Entry,
    ForbiddenPair,
    MatchGame,
    Pairing,
    Player,
    Round,
    Section,
    TeamMember,
)
from tournaments.services.entries import refuse_hidden
from tournaments.services.matches import MOST_MEMBERS
from tournaments.wording import names

_MOST_RATING = 4000


def fields_of(report: TeamReport) -> dict[str, Any]:
    """What the section is made with: a round robin where every meeting is in the file, else a Swiss."""
    return {
        "format": kept.of_matches(everybody_met=_everybody_met(report)),
        "preset": "TEAM",
        "team_boards": min(20, report.boards),
        "rounds_total": min(99, max(report.rounds_total, report.rounds, 1)),
        **({"own_points": {"bye": report.bye}} if 0 <= report.bye < STANDARD.bye else {}),
    }


def _everybody_met(report: TeamReport) -> bool:
    count = len(report.teams)
    if report.rounds != roundrobin.rounds_needed(count, double=False) or report.rounds_total > report.rounds:
        return False
    met = [frozenset({m.first, m.second}) for m in report.matches if m.second is not None]
    return count > 2 and len(met) == len(set(met)) == count * (count - 1) // 2


def write(section: Section, report: TeamReport) -> int:
    """Everything of the report into a new section; how many pairings there are. Raises BadInput for a person in it twice."""
    refuse_person_twice(
        Named(name=said.name, birth_year=year_of(said.birth), fmjd_id=said.fide_id[:20])
        for said in (report.players[member] for team in report.teams for member in team.members)
    )
    entries = _write_teams(section, report)
    members = _write_members(entries, report)
    now = timezone.now()
    rounds = {
        number: Round(
            section=section,
            number=number,
            state=Round.State.PUBLISHED if number == report.rounds else Round.State.CLOSED,
            published_at=now,
            engine="TRF",
        )
        for number in range(1, report.rounds + 1)
    }
    Round.objects.bulk_create(rounds.values())
    boards: dict[int, int] = {}
    pairings: list[Pairing] = []
    for match in report.matches:
        paired = match.second is not None
        boards[match.round] = boards.get(match.round, 0) + paired
        pairings.append(
            Pairing(
                round=rounds[match.round],
                board=boards[match.round] if paired else 0,
                white=entries[match.first],
                black=entries[match.second] if match.second is not None else None,
                outcome=match.outcome.value,
            )
        )
    Pairing.objects.bulk_create(pairings)
    MatchGame.objects.bulk_create(
        game
        for pairing, match in zip(pairings, report.matches, strict=True)
        for game in _games(section, pairing, match, members)
    )
    Adjustment.objects.bulk_create(
        Adjustment(
            section=section, entry=entries[match.first], points=STANDARD.win - report.bye, after_round=match.round,
            reason="TRF 240",
        )
        for match in report.matches
        if match.granted and report.bye != STANDARD.win
    )  # fmt: skip
    ForbiddenPair.objects.bulk_create(
        ForbiddenPair(
            section=section, first=entries[first], second=entries[second],
            first_round=min(group.first_round, 99), last_round=min(group.last_round, 99),
        )
        for group in report.forbidden
        for first, second in combinations(sorted(group.players & entries.keys()), 2)
    )  # fmt: skip
    return len(pairings)


def _write_teams(section: Section, report: TeamReport) -> dict[int, Entry]:
    players = []
    for team in report.teams:
        name = (" ".join(team.name.split()) or f"#{team.number}")[:120]
        refuse_hidden(name)
        family, latin = name[:80], names.latin(name, team=True)[:120]
        players.append(
            Player(
                event=section.event, name=name, family_name=family, latin_name=latin, rating=team.strength,
                search_keys=names.search_keys(name, latin, family),
            )
        )  # fmt: skip
    Player.objects.bulk_create(players)
    entries = [
        Entry(section=section, player=player, number=team.number)
        for player, team in zip(players, report.teams, strict=True)
    ]
    Entry.objects.bulk_create(entries)
    return {entry.number or 0: entry for entry in entries}


def _write_members(entries: Mapping[int, Entry], report: TeamReport) -> dict[int, TeamMember]:
    """The players by their number in the file; of two of one name in a team the second is told apart by it."""
    found: dict[int, TeamMember] = {}
    for team in report.teams:
        taken: set[str] = set()
        for position, number in enumerate(team.members[:MOST_MEMBERS], start=1):
            said = report.players[number]
            name = " ".join(said.name.split())[:110] or f"#{number}"
            refuse_hidden(name)
            name = f"{name} #{number}" if name in taken else name
            taken.add(name)
            found[number] = TeamMember(
                entry=entries[team.number],
                position=position,
                name=name,
                rating=min(said.rating, _MOST_RATING),
            )
    TeamMember.objects.bulk_create(found.values())
    return found


def _games(
    section: Section, pairing: Pairing, match: ReportMatch, members: Mapping[int, TeamMember]
) -> list[MatchGame]:
    """The boards of a match; those that it is short of are empty on both sides."""
    if not match.boards:
        return []
    games = []
    for number in range(1, section.team_boards + 1):
        board = match.boards[number - 1] if number <= len(match.boards) else None
        white, black = (members.get(board.white), members.get(board.black or 0)) if board else (None, None)
        first_white = number % 2 == 1
        games.append(
            MatchGame(
                pairing=pairing,
                number=number,
                first_white=first_white,
                first=white if first_white else black,
                second=black if first_white else white,
                outcome=(board.outcome if board else Outcome.BOTH_FORFEIT).value,
            )
        )
    return games


def left_out(report: TeamReport) -> list[str]:
    """Match points that the file states and the results do not give."""
    points: dict[int, int] = {team.number: 0 for team in report.teams}
    for match in report.matches:
        for team, gained in _points(match, report.bye):
            points[team] += gained
    return [
        f"{team.number} {team.name}: {team.match_points / 10:g}, {points[team.number]}"
        for team in report.teams
        if team.match_points is not None and team.match_points != 10 * points[team.number]
    ]


def _points(match: ReportMatch, bye: int) -> list[tuple[int, int]]:
    if match.second is None:
        full = STANDARD.win if match.granted else bye
        return [(match.first, {Outcome.BYE: full, Outcome.HALF_BYE: STANDARD.draw}.get(match.outcome, 0))]
    first = {
        Outcome.WHITE: 2, Outcome.BLACK_FORFEITS: 2, Outcome.DRAW: 1,
    }.get(match.outcome, 0)  # fmt: skip
    second = {
        Outcome.BLACK: 2, Outcome.WHITE_FORFEITS: 2, Outcome.DRAW: 1,
    }.get(match.outcome, 0)  # fmt: skip
    return [(match.first, first), (match.second, second)]
