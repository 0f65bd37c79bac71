"""Reading a report file: one pass over the lines, then the checks that need them all."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from tournaments.engine.scoring import board_points, totals
from tournaments.engine.trf import games
from tournaments.engine.trf.columns import Cell, cells, cut, number, points_text, tenths
from tournaments.engine.trf.records import RECORDS, Named, Records, refuse_points_by_colour
from tournaments.engine.trf.values import (
    FILE_SCALE_DEFAULT,
    FILE_SCALE_DRAUGHTS,
    Dialect,
    Line,
    TrfError,
    TrfFile,
)
from tournaments.engine.trf.writer import BLANK, canonical_cells, full_byes, requested_points
from tournaments.engine.types import (
    STANDARD,
    Adjustment,
    Board,
    Grade,
    Outcome,
    Player,
    RequestedBye,
    ResultScheme,
    Round,
    Tournament,
    VirtualPoints,
)

LINE_END = re.compile(r"\r\n|\r|\n")
_TRF26_TAGS = frozenset(
    {"142", "152", "162", "172", "182", "192", "202", "212", "222", "240", "250", "260", "299"}
)
_TEAM_TAGS = frozenset({"013", "300", "310", "320", "330", "352", "362", "801", "802"})


@dataclass(slots=True, kw_only=True)
class _Draft:
    """The file while it is read."""

    players: list[Player] = field(default_factory=list)
    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    declared: dict[int, tuple[int, int] | None] = field(default_factory=dict)  # player -> tenths, line
    lines: dict[int, int] = field(default_factory=dict)
    ranks: dict[int, int] = field(default_factory=dict)
    layout: list[Line] = field(default_factory=list)
    records: Records = field(default_factory=Records)


def read(text: str) -> TrfFile:
    """The report file in `text`, checked. Columns are counted in characters, as the format defines them.

    Understood: TRF16 with the XX and BB records of pairing programs, and TRF26 (FIDE, in force from September 2025).
    Other lines are kept verbatim. Points become integers: 1/0.5/0 is doubled. A result column after the last round
    played, and 240 and XXZ records, are requested byes. A file without a point system whose points are exactly twice
    the results is taken as 2/1/0. Raises TrfError at the first thing wrong.
    """
    draft = _Draft()
    try:
        return _read(draft, text)
    except TrfError as error:
        for line, tag in _team_lines(text):
            raise TrfError("trf-team-file", line=line, column=1, found=tag, why=str(error)) from error
        raise


def _team_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that only files of teams have, with their numbers."""
    for place, line in enumerate(LINE_END.split(text), start=1):
        tag = line[:3]
        if tag in _TEAM_TAGS or (tag == "192" and "TEAM" in line.upper()):
            yield place, tag


def _read(draft: _Draft, text: str) -> TrfFile:
    _scan(draft, text)
    if not draft.players:
        raise TrfError("trf-empty")
    refuse_points_by_colour(draft.records)
    _check_named(draft)
    unit, tournament = _tournament(draft)
    requested, virtual = _check_points(draft, tournament, unit)
    tags = {line.tag for line in draft.layout}
    newline = LINE_END.search(text)
    return TrfFile(
        tournament=tournament,
        unit=unit,
        dialect=Dialect.TRF26 if tags & _TRF26_TAGS else Dialect.TRF16,
        ranks=MappingProxyType(draft.ranks),
        marks=MappingProxyType(_marks(draft, tournament)),
        layout=tuple(draft.layout),
        newline=newline.group() if newline else "\n",
        rank_order=draft.records.rank_order,
        points_with_requested=requested,
        points_with_virtual=virtual,
    )


def _tournament(draft: _Draft) -> tuple[int, Tournament]:
    """The tournament, and how many tenths of a point of the file make one of its points."""
    records = draft.records
    scale = _scale(draft)
    played = games.rounds_played(draft.rows)
    unit = _unit(draft, scale)
    scheme = _scheme(scale, unit, uses_full_bye=_uses_full_bye(draft, played))
    scheme, rounds = _rounds(draft, scheme, played, unit)
    return unit, Tournament(
        players=tuple(draft.players),
        rounds=rounds,
        name=records.name,
        scheme=scheme,
        rounds_total=records.rounds_total,
        initial_colour=records.initial_colour or games.first_colour(rounds),
        forbidden=tuple(group for group, _ in records.forbidden),
        virtual_points=_virtual_points(draft, unit),
        requested_byes=_requested(draft, played),
        adjustments=tuple(
            Adjustment(player=player, points=points // unit, after_round=round_)
            for points, round_, player in records.adjustments
        ),
    )


def _scan(draft: _Draft, text: str) -> None:
    for place, line in enumerate(LINE_END.split(text.lstrip("\ufeff")), start=1):
        line = line.rstrip("\x1a")
        if not line.strip():
            continue
        tag = line[:3]
        if tag == "001":
            _player(draft, line, place)
        elif tag.upper() in RECORDS:
            tag = tag.upper()
            RECORDS[tag](draft.records, line.rstrip(), place)
        else:
            draft.layout.append(Line(tag=tag, text=line))
            continue
        if all(known.tag != tag or known.text for known in draft.layout):
            draft.layout.append(Line(tag=tag))


def player_of_line(text: str, line: int) -> Player:
    """Who a line 001 is about. Raises TrfError."""
    return Player(
        number=number(cut(text, 5, 8), name="the player number", line=line, column=5),
        name=cut(text, 15, 47),
        rating=number(cut(text, 49, 52) or "0", name="the rating", line=line, column=49, least=0),
        title=cut(text, 11, 13),
        sex=cut(text, 10, 10),
        federation=cut(text, 54, 56),
        fide_id=cut(text, 58, 68),
        birth=cut(text, 70, 79),
    )


def _player(draft: _Draft, text: str, line: int) -> None:
    player = number(cut(text, 5, 8), name="the player number", line=line, column=5)
    if player in draft.lines:
        raise TrfError(
            "trf-player-twice",
            line=line,
            column=5,
            player=player,
            first_line=draft.lines[player],
            found=player,
        )
    rank, points = cut(text, 86, 89), cut(text, 81, 84)
    draft.lines[player] = line
    draft.players.append(player_of_line(text, line))
    if rank:
        draft.ranks[player] = number(rank, name="the rank", line=line, column=86, least=0)
    draft.declared[player] = (
        (tenths(points, name="the points", line=line, column=81), line) if points else None
    )
    draft.rows[player] = cells(text.rstrip(), line=line, player=player)


def _check_named(draft: _Draft) -> None:
    """Every number on a record belongs to a player."""
    records = draft.records
    named: list[Named] = [*records.absent, *records.named, *(place for _, place in records.forbidden)]
    named += [
        Named(line=line, players=((player, column),)) for player, _, _, line, column in records.requested
    ]
    for record in named:
        for player, column in record.players:
            if player not in draft.lines:
                raise TrfError(
                    "trf-unknown-player",
                    line=record.line,
                    column=column,
                    player=player,
                    found=player,
                    expected="the number of a player with a line of its own",
                )


def _scale(draft: _Draft) -> dict[str, int]:
    """Tenths of a point for W, D, L, Z, F, U, FW, FPB, HPB. Without a record, 2/1/0 is concluded from the stated points."""
    known = draft.records.scale
    scale = {**FILE_SCALE_DEFAULT, **known}
    for key, leader in (("U", "W"), ("FW", "W"), ("FPB", "W"), ("HPB", "D")):
        scale[key] = known.get(key, scale[leader])
    if draft.records.has_xxs and "U" not in known:
        scale["U"] = _bye_points(draft, scale)
    if known:
        return scale
    declared = {player: value[0] for player, value in draft.declared.items() if value}
    counted = {player: _counted(draft.rows[player]) for player in declared}
    doubled = any(counted.values()) and all(declared[player] == 2 * counted[player] for player in declared)
    return dict(FILE_SCALE_DRAUGHTS) if doubled else scale


def _bye_points(draft: _Draft, scale: Mapping[str, int]) -> int:
    """An XXS record that does not name the bye leaves it at 1.0; many programs mean a win. The stated points tell."""
    values = {"1": "W", "+": "FW", "0": "L", "-": "F", "=": "D", "H": "HPB", "F": "FPB", "Z": "Z"}
    for player, value in draft.declared.items():
        codes = [games.plain(cell.code) for cell in draft.rows[player].values()]
        byes = codes.count("U")
        if value and byes:
            rest = sum(scale[values[code]] for code in codes if code in values)
            if value[0] == rest + byes * scale["W"]:
                return scale["W"]
    return FILE_SCALE_DEFAULT["U"]


def _counted(row: Mapping[int, Cell]) -> int:
    """Tenths by 1/0.5/0 of a player's line."""
    values = {"1": 10, "+": 10, "U": 10, "F": 10, "=": 5, "H": 5}
    return sum(values.get(games.plain(cell.code), 0) for cell in row.values())


def _unit(draft: _Draft, scale: Mapping[str, int]) -> int:
    """Tenths per point of the tournament: the largest of 10, 5, 1 that leaves whole numbers."""
    values = [*scale.values(), *(row[0] for row in draft.records.virtual)]
    values += [points for row in draft.records.virtual_cells.values() for points in row]
    values += [row[0] for row in (*draft.records.adjustments, *draft.records.overrides)]
    return next(unit for unit in (10, 5, 1) if all(value % unit == 0 for value in values))


def _uses_full_bye(draft: _Draft, played: int) -> bool:
    return any(
        cell.code in ("F", "+") and not cell.opponent
        for row in draft.rows.values()
        for round_, cell in row.items()
        if round_ <= played
    )


def _scheme(scale: Mapping[str, int], unit: int, *, uses_full_bye: bool) -> ResultScheme:
    points = {key: value // unit for key, value in scale.items()}
    scheme = ResultScheme(
        code="TRF",
        win=points["W"],
        draw=points["D"],
        loss=points["L"],
        bye=points["U"],
        half_bye=points["HPB"],
        zero_bye=points["Z"],
        forfeit_win=points["FW"],
        forfeit_loss=points["F"],
    )
    if scheme == replace(STANDARD, code="TRF"):
        return STANDARD
    if uses_full_bye and scheme.bye != points["FPB"]:
        full = Grade(code="F", white=points["FPB"], black=0, outcome=Outcome.BYE)
        scheme = replace(scheme, grades=MappingProxyType({"F": full}))
    return scheme


def _rounds(
    draft: _Draft, scheme: ResultScheme, played: int, unit: int
) -> tuple[ResultScheme, tuple[Round, ...]]:
    everyone = scheme.zero_bye != 0
    raw = {
        number_: _with_byes(draft, number_, games.boards_of(number_, draft.rows, everyone=everyone))
        for number_ in range(1, played + 1)
    }
    scheme = _with_unequal(scheme, raw)
    if "F" in scheme.grades:
        raw = {number_: [_full_bye(draft, number_, board) for board in raw[number_]] for number_ in raw}
    scheme, raw = _with_overrides(draft, scheme, raw, unit)
    standing = dict.fromkeys(draft.lines, 0)
    rounds = []
    for number_, boards in raw.items():
        rounds.append(games.numbered(number_, boards, standing, scheme))
        for board in boards:
            white, black = board_points(board, scheme)
            standing[board.white] += white
            if board.black is not None:
                standing[board.black] += black
    return scheme, tuple(rounds)


def _with_unequal(scheme: ResultScheme, raw: Mapping[int, Sequence[Board]]) -> ResultScheme:
    """The scheme with a grade for each pair of results that an arbiter gave apart, such as a draw and a loss."""
    points = {"1": scheme.win, "=": scheme.draw, "0": scheme.loss}
    grades = {
        board.grade: Grade(
            code=board.grade,
            white=points[board.grade[0]],
            black=points[board.grade[1]],
            outcome=board.outcome,
        )
        for boards in raw.values()
        for board in boards
        if board.grade
    }
    if not grades:
        return scheme
    return replace(scheme, code="TRF", grades=MappingProxyType({**scheme.grades, **grades}))


def _with_byes(draft: _Draft, round_: int, boards: list[Board]) -> list[Board]:
    """The boards with the byes that 240 records give in a round already played; a contradiction is refused."""
    known = {board.white: board for board in boards if board.black is None}
    paired = {player for board in boards if board.black is not None for player in (board.white, board.black)}
    for player, at, kind, line, column in draft.records.requested:
        if at != round_:
            continue
        board = known.get(player)
        if player in paired or (board is not None and board.outcome is not kind):
            found = (
                "an opponent" if player in paired else f"result {draft.rows[player][round_].code or 'blank'}"
            )
            raise TrfError(
                "trf-bye-contradicts",
                line=line,
                column=column,
                player=player,
                round=round_,
                found=found,
                expected="the same bye or a blank in the line of the player",
            )
        if board is None:
            boards.append(Board(number=0, white=player, black=None, outcome=kind))
    return boards


def _full_bye(draft: _Draft, round_: int, board: Board) -> Board:
    cell = draft.rows[board.white].get(round_)
    granted = board.outcome is Outcome.BYE and cell is not None and cell.code in ("F", "+")
    return replace(board, grade="F") if granted else board


def _with_overrides(
    draft: _Draft, scheme: ResultScheme, raw: dict[int, list[Board]], unit: int
) -> tuple[ResultScheme, dict[int, list[Board]]]:
    """Boards whose points a 299 record changes carry a grade "white-black" that the scheme then has."""
    wanted: dict[tuple[int, int], int] = {}
    for points, round_, player, _ in draft.records.overrides:
        for each in [round_] if round_ else list(raw):
            wanted[player, each] = points // unit
    grades = dict(scheme.grades)
    result: dict[int, list[Board]] = defaultdict(list)
    for round_, boards in raw.items():
        for board in boards:
            white, black = board_points(board, scheme)
            new = wanted.get((board.white, round_), white), wanted.get((board.black or 0, round_), black)
            if new != (white, black):
                code = f"{new[0]}-{new[1]}"
                grades[code] = Grade(code=code, white=new[0], black=new[1], outcome=board.outcome)
                board = replace(board, grade=code)
            result[round_].append(board)
    if len(grades) > len(scheme.grades):
        scheme = replace(scheme, code="TRF", grades=MappingProxyType(grades))
    return scheme, dict(result) if raw else {}


def _virtual_points(draft: _Draft, unit: int) -> tuple[VirtualPoints, ...]:
    found = [
        VirtualPoints(
            points=points // unit,
            first_round=first,
            last_round=last,
            players=frozenset(player for player in players if player in draft.lines),
        )
        for points, first, last, players, _ in draft.records.virtual
    ]
    spans: dict[tuple[int, int, int], set[int]] = {}
    for player, row in draft.records.virtual_cells.items():
        for points, first, last in _runs(row):
            spans.setdefault((first, last, points), set()).add(player)
    found += [
        VirtualPoints(points=points // unit, first_round=first, last_round=last, players=frozenset(players))
        for (first, last, points), players in spans.items()
    ]
    return tuple(found)


def _runs(row: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Stretches (points, first round, last round) of equal points other than zero."""
    start = 0
    for index in range(1, len(row) + 1):
        if index == len(row) or row[index] != row[start]:
            if row[start]:
                yield row[start], start + 1, index
            start = index


def _requested(draft: _Draft, played: int) -> tuple[RequestedBye, ...]:
    found = {
        (round_, player): RequestedBye(player=player, round=round_, kind=kind)
        for player, round_, kind, _, _ in draft.records.requested
    }
    for player, row in draft.rows.items():
        for round_, cell in row.items():
            if round_ > played:
                kind = games.BYE_OUTCOMES[cell.code]
                found.setdefault(
                    (round_, player),
                    RequestedBye(player=player, round=round_, kind=kind, allocated=cell.code == "U"),
                )
    for record in draft.records.absent:
        for player, _ in record.players:
            found.setdefault(
                (played + 1, player),
                RequestedBye(player=player, round=played + 1, kind=Outcome.ZERO_BYE),
            )
    return tuple(found.values())


def _check_points(draft: _Draft, tournament: Tournament, unit: int) -> tuple[bool, bool]:
    """Whether the stated points hold the requested byes and the virtual points of the round to pair.

    One reading must explain all players: a file does not change its mind from line to line.
    """
    earned = totals(tournament, after_round=len(tournament.rounds))
    following = len(tournament.rounds) + 1
    asked = dict.fromkeys(earned, 0)
    for bye in tournament.requested_byes:
        if bye.round >= following:
            asked[bye.player] += requested_points(tournament.scheme, bye)
    virtual = dict.fromkeys(earned, 0)
    for given in tournament.virtual_points:
        if given.first_round <= following <= given.last_round:
            for player in given.players:
                virtual[player] += given.points
    declared = {player: value for player, value in draft.declared.items() if value}
    for with_asked, with_virtual in ((False, False), (True, False), (False, True), (True, True)):
        if all(
            value[0] == unit * (earned[player] + with_asked * asked[player] + with_virtual * virtual[player])
            for player, value in declared.items()
        ):
            return with_asked, with_virtual
    player, value = next(item for item in declared.items() if item[1][0] != unit * earned[item[0]])
    raise TrfError(
        "trf-points-mismatch",
        line=value[1],
        column=81,
        player=player,
        found=points_text(value[0]),
        expected=points_text(unit * earned[player]),
    )


def _marks(draft: _Draft, tournament: Tournament) -> dict[tuple[int, int], str]:
    """Results as the file wrote them, where this program would write them in another way."""
    granted = full_byes(tournament)
    marks = {}
    for round_ in tournament.rounds:
        for board in round_.boards:
            for player, text in canonical_cells(board, round_.number, granted):
                cell = draft.rows[player].get(round_.number)
                written = BLANK if cell is None else cell.text
                if written != text:
                    marks[player, round_.number] = written
    return marks
