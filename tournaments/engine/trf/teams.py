"""Report files of teams (records 013 or 310, 300, 320, 330): the teams, and their matches by board.

Promises that every game of the players' lines is at a board of a match, with the colours alternating from board to
board. Refuses points of matches and games that are not 2, 1, 0 by proportion, since a section of teams has one scheme
for both. Records of acceleration (250) and of points by ruling (299) are kept as lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from tournaments.engine import teams as matches
from tournaments.engine.trf import games
from tournaments.engine.trf.columns import Cell, cells, cut, number, tenths
from tournaments.engine.trf.reader import LINE_END, player_of_line
from tournaments.engine.trf.records import RECORDS, Records
from tournaments.engine.trf.values import TrfError
from tournaments.engine.types import STANDARD, Board, ForbiddenGroup, Outcome, Player

_KEPT_RECORDS = frozenset({"012", "142", "XXR", "162", "240", "260"})
_STARTS = {"310": 72, "013": 36}  # where the players of a team begin, counted from 0
_FORFEITS = {"+-": Outcome.BLACK_FORFEITS, "-+": Outcome.WHITE_FORFEITS, "--": Outcome.BOTH_FORFEIT}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTeam:
    """`members` are player numbers in board order; `match_points` those that the file states, in tenths."""

    number: int
    name: str
    members: tuple[int, ...]
    strength: int = 0
    match_points: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportMatch:
    """`first` has White on board 1; without a `second` it has the bye `outcome`. A forfeited match has no boards.

    The White of a board is a player number of the first team on odd boards; 0 is an empty chair.
    """

    round: int
    first: int
    second: int | None
    boards: tuple[Board, ...]
    outcome: Outcome
    granted: bool = False  # a full-point bye that was asked for: a win's points


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamReport:
    name: str
    teams: tuple[ReportTeam, ...]
    players: Mapping[int, Player]
    matches: tuple[ReportMatch, ...]
    rounds: int
    rounds_total: int
    bye: int  # match points of the bye of an odd number
    forbidden: tuple[ForbiddenGroup, ...]
    extra: tuple[str, ...]

    @property
    def boards(self) -> int:
        """Boards of a match: as many as the largest had."""
        return max((len(match.boards) for match in self.matches), default=0) or min(
            (len(team.members) for team in self.teams), default=1
        )


@dataclass(slots=True, kw_only=True)
class _Draft:
    teams: dict[int, ReportTeam] = field(default_factory=dict)
    players: dict[int, Player] = field(default_factory=dict)
    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    lines: dict[int, int] = field(default_factory=dict)
    records: Records = field(default_factory=Records)
    orders: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # round, team -> players by board
    byes: dict[tuple[int, int], Outcome] = field(default_factory=dict)  # round, team
    allocated: set[tuple[int, int]] = field(default_factory=set)  # byes of an odd number
    forfeits: list[tuple[int, int, int, Outcome]] = field(default_factory=list)
    bye: int = STANDARD.bye
    extra: list[str] = field(default_factory=list)
    team_of: dict[int, int] = field(default_factory=dict)


def names_teams(text: str) -> bool:
    """Whether the file names teams with their players."""
    return any(line[:3] in _STARTS and line[_STARTS[line[:3]] :].strip() for line in LINE_END.split(text))


def read_teams(text: str) -> TeamReport:
    """The teams and matches of a file that `names_teams`. Raises TrfError at the first thing wrong."""
    draft = _Draft()
    has_310 = any(line.startswith("310") for line in LINE_END.split(text))
    for place, line in enumerate(LINE_END.split(text.lstrip("\ufeff")), start=1):
        if line.strip() and not (has_310 and line.startswith("013")):
            _line(draft, line.rstrip("\x1a"), place)
    _check_points(draft)
    for team in draft.teams.values():
        for member in team.members:
            if member not in draft.players or member in draft.team_of:
                raise TrfError(
                    "trf-unknown-player", line=draft.lines[-team.number], column=1, found=member, player=member,
                    expected="the number of a player with a line of its own, in one team",
                )  # fmt: skip
            draft.team_of[member] = team.number
    last = max(
        [
            games.rounds_played(draft.rows),
            *(key[0] for key in draft.byes),
            *(row[0] for row in draft.forfeits),
        ]
    )
    return TeamReport(
        name=draft.records.name,
        teams=tuple(draft.teams.values()),
        players=draft.players,
        matches=tuple(match for round_ in range(1, last + 1) for match in _round(draft, round_)),
        rounds=last,
        rounds_total=draft.records.rounds_total,
        bye=draft.bye,
        forbidden=tuple(group for group, _ in draft.records.forbidden),
        extra=tuple(draft.extra),
    )


def _line(draft: _Draft, text: str, line: int) -> None:
    tag = text[:3].upper()
    if tag == "001":
        player = player_of_line(text, line)
        if player.number in draft.players:
            raise TrfError(
                "trf-player-twice", line=line, column=5, player=player.number, found=player.number,
                first_line=draft.lines[player.number],
            )  # fmt: skip
        draft.players[player.number], draft.lines[player.number] = player, line
        draft.rows[player.number] = cells(text.rstrip(), line=line, player=player.number)
    elif tag in _STARTS:
        _team(draft, tag, text, line)
    elif tag == "300":
        key = (_whole(text, 5, 7, line), _whole(text, 9, 11, line))
        draft.orders[key] = [int(part) for part in text[16:].split() if part.isascii() and part.isdigit()]
    elif tag == "320":
        _allocated_byes(draft, text, line)
    elif tag == "330":
        kind = cut(text, 5, 6)
        if kind not in _FORFEITS:
            raise TrfError(
                "trf-record", line=line, column=5, tag=tag, found=text.strip(), expected="+-, -+ or --"
            )
        draft.forfeits.append(
            (
                _whole(text, 8, 10, line),
                _whole(text, 12, 14, line),
                _whole(text, 16, 18, line),
                _FORFEITS[kind],
            )
        )
    elif tag == "362":
        _match_points(text, line)
    elif tag in _KEPT_RECORDS:
        RECORDS[tag](draft.records, text.rstrip(), line)
        for team, round_, kind_, _, _ in draft.records.requested:
            draft.byes[round_, team] = kind_
    else:
        draft.extra.append(text)


def _whole(text: str, first: int, last: int, line: int) -> int:
    return number(cut(text, first, last), name="the number", line=line, column=first)


def _team(draft: _Draft, tag: str, text: str, line: int) -> None:
    count = len(draft.teams) + 1
    team = _whole(text, 5, 7, line) if tag == "310" else count
    if team in draft.teams:
        raise TrfError("trf-record", line=line, column=5, tag=tag, found=text.strip(), expected="a team once")
    members = tuple(
        number(part, name="the player number", line=line, column=_STARTS[tag] + 1)
        for part in text[_STARTS[tag] :].split()
    )
    stated = cut(text, 55, 60) if tag == "310" else ""
    strength = cut(text, 48, 53) if tag == "310" else ""
    draft.teams[team] = ReportTeam(
        number=team,
        name=cut(text, 9, 40) if tag == "310" else cut(text, 5, 36),
        members=members,
        strength=int(strength) if strength.isascii() and strength.isdigit() else 0,
        match_points=tenths(stated, name="the match points", line=line, column=55) if stated else None,
    )
    draft.lines[-team] = line


def _allocated_byes(draft: _Draft, text: str, line: int) -> None:
    points = cut(text, 5, 8)
    if points:
        draft.bye = tenths(points, name="the points of the bye", line=line, column=5) // 10
    for round_, column in enumerate(range(15, len(text) + 1, 4), start=1):
        team = number(
            cut(text, column, column + 2) or "0", name="the team", line=line, column=column, least=0
        )
        if team:
            draft.byes[round_, team] = Outcome.BYE
            draft.allocated.add((round_, team))


def _match_points(text: str, line: int) -> None:
    said = text[3:].upper().split()
    found = dict(zip(said[::2], said[1::2], strict=False))
    wanted = {"TW": STANDARD.win, "TD": STANDARD.draw, "TL": STANDARD.loss}
    for code, points in wanted.items():
        if code in found and tenths(found[code], name=code, line=line, column=5) != 10 * points:
            raise TrfError("trf-team-points", line=line, column=5, found=text.strip())


def _check_points(draft: _Draft) -> None:
    scale = {"W": 10, "D": 5, "L": 0, **draft.records.scale}
    if (scale["W"], scale["L"]) != (2 * scale["D"], 0):
        raise TrfError("trf-team-points", line=0, column=0, found="162")


def _round(draft: _Draft, round_: int) -> Iterator[ReportMatch]:
    met: set[int] = set()
    for first, second in _meetings(draft, round_):
        yield _match(draft, round_, first, second)
        met |= {first, second}
    for at, white, black, outcome in draft.forfeits:
        if at == round_ and not {white, black} & met:
            yield ReportMatch(round=round_, first=white, second=black, boards=(), outcome=outcome)
            met |= {white, black}
    for team in sorted(draft.teams.keys() - met):
        kind = draft.byes.get((round_, team), Outcome.ZERO_BYE)
        granted = kind is Outcome.BYE and (round_, team) not in draft.allocated
        yield ReportMatch(round=round_, first=team, second=None, boards=(), outcome=kind, granted=granted)


def _meetings(draft: _Draft, round_: int) -> list[tuple[int, int]]:
    """The teams that meet in a round, the one with White on the top board first."""
    found: dict[frozenset[int], tuple[int, int]] = {}
    for team in sorted(draft.teams):
        for player in _order(draft, round_, team):
            cell = draft.rows[player].get(round_) if player else None
            if cell is None or not cell.opponent:
                continue
            other = draft.team_of.get(cell.opponent)
            if other is None or other == team:
                raise TrfError(
                    "trf-unknown-player", line=cell.line, column=cell.column, found=cell.opponent, player=player,
                    expected="the number of a player of another team",
                )  # fmt: skip
            board = _order(draft, round_, team).index(player)
            white = (cell.colour != "b") == (board % 2 == 0)
            found.setdefault(frozenset({team, other}), (team, other) if white else (other, team))
    if len({team for pair in found for team in pair}) != 2 * len(found):
        raise TrfError("trf-team-twice", line=0, column=0, round=round_)
    return sorted(found.values(), key=min)


def _order(draft: _Draft, round_: int, team: int) -> list[int]:
    """Who sat for the team, by board: as record 300 says, or in the order of the team; 0 for an empty chair."""
    if (round_, team) in draft.orders:
        known = draft.teams[team].members
        return [player if player in known else 0 for player in draft.orders[round_, team]]
    sat = []
    for player in draft.teams[team].members:
        cell = draft.rows[player].get(round_)
        if cell is not None and (cell.opponent or cell.code == "+"):  # "-" alone: not in the line-up
            sat.append(player)
    return sat


def _match(draft: _Draft, round_: int, first: int, second: int) -> ReportMatch:
    boards = []
    for place, (one, two) in enumerate(_chairs(draft, round_, first, second), start=1):
        white, black = (one, two) if place % 2 else (two, one)
        boards.append(
            Board(number=place, white=white, black=black, outcome=_outcome(draft, round_, white, black))
        )
    match = matches.TeamMatch(round=round_, number=0, first=first, second=second, games=tuple(boards))
    return ReportMatch(
        round=round_,
        first=first,
        second=second,
        boards=tuple(boards),
        outcome=matches.match_outcome(match, STANDARD),
    )


def _chairs(draft: _Draft, round_: int, first: int, second: int) -> list[tuple[int, int]]:
    """The players of each board, first team and second: by record 300, else by the team that filled more chairs."""
    ours, theirs = _order(draft, round_, first), _order(draft, round_, second)
    by_record = [(round_, team) in draft.orders for team in (first, second)]
    if all(by_record):
        return list(zip_longest(ours, theirs, fillvalue=0))
    if by_record[1] or (not by_record[0] and len(theirs) > len(ours)):
        return [(one, two) for two, one in _facing(draft, round_, theirs, ours)]
    return _facing(draft, round_, ours, theirs)


def _facing(
    draft: _Draft, round_: int, leading: Sequence[int], others: Sequence[int]
) -> list[tuple[int, int]]:
    """Each chair of the leading team with who sat opposite; who named nobody takes the free places in order."""
    named = [draft.rows[player][round_].opponent if player else 0 for player in leading]
    free = [player for player in others if player not in named]
    pairs = []
    for player, opponent in zip(leading, named, strict=True):
        if opponent not in others:
            may_face = not player or len(leading) == len(others)
            opponent = free.pop(0) if free and may_face else 0
        pairs.append((player, opponent))
    return [*pairs, *((0, player) for player in free)]


def _outcome(draft: _Draft, round_: int, white: int, black: int) -> Outcome:
    """The result of a board; the two must be each other's opponents, White with the white pieces."""
    if not white or not black:
        if not white and not black:
            return Outcome.BOTH_FORFEIT
        return Outcome.BLACK_FORFEITS if white else Outcome.WHITE_FORFEITS
    one, two = draft.rows[white].get(round_), draft.rows[black].get(round_)
    if one is None or two is None:
        return Outcome.UNPLAYED
    named = {one.opponent, two.opponent} - {0}
    if not named <= {white, black} or one.colour == "b" or two.colour == "w":
        raise TrfError(
            "trf-team-boards", line=one.line, column=one.column, player=white, opponent=black, round=round_
        )
    codes = games.plain(one.code), games.plain(two.code)
    outcome = games.OUTCOMES.get(codes)
    if outcome is None:
        raise TrfError(
            "trf-results-contradict", line=one.line, column=one.column + 7, player=white, opponent=black,
            round=round_, found=f"{one.code or 'blank'} and {two.code or 'blank'}",
            expected="1 with 0, = with =, 0 with 0, + with -, - with -",
        )  # fmt: skip
    return outcome
