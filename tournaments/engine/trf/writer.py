"""Writing a report file: the lines that the tournament gives, in the order of the file's layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournaments.engine.scoring import totals
from tournaments.engine.trf import games
from tournaments.engine.trf.columns import points_text
from tournaments.engine.trf.values import FILE_SCALE_DEFAULT, Dialect, Line, TrfFile
from tournaments.engine.types import (
    BYES,
    Board,
    Colour,
    ForbiddenGroup,
    Outcome,
    Player,
    RequestedBye,
    ResultScheme,
    Tournament,
)

BLANK = " " * 8
BYES_PER_LINE = 20
_REQUEST_CODES: Mapping[Outcome, str] = {
    Outcome.BYE: "F",
    Outcome.HALF_BYE: "H",
    Outcome.ZERO_BYE: "Z",
}
_STANDARD_LAYOUT: Mapping[Dialect, tuple[str, ...]] = {
    Dialect.TRF26: ("012", "142", "152", "162", "250", "260", "240", "299", "001"),
    Dialect.TRF16: (
        "012",
        "XXR",
        "XXC",
        "BBW",
        "BBD",
        "BBL",
        "BBZ",
        "BBF",
        "BBU",
        "XXA",
        "XXP",
        "299",
        "001",
    ),
}
_ALTERNATIVES = (  # records that carry the same thing: one of them in a file is enough
    ("142", "XXR"),
    ("152", "XXC"),
    ("162", "XXS", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"),
    ("250", "XXA"),
    ("260", "XXP"),
    ("240", "XXZ"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Something of a tournament that the format cannot hold: what, of which player or round, and its value."""

    what: str
    player: int | None = None
    round: int | None = None
    value: str = ""


def scale_of(scheme: ResultScheme, unit: int) -> dict[str, int]:
    """Tenths of a point of the file for W, D, L, Z (absence), F (forfeit loss), U (bye), FW (forfeit win), FPB and HPB
    (full- and half-point bye).
    """
    full = scheme.grades.get("F")
    points = {
        "W": scheme.win,
        "D": scheme.draw,
        "L": scheme.loss,
        "Z": scheme.zero_bye,
        "F": scheme.forfeit_loss,
        "U": scheme.bye,
        "FW": scheme.forfeit_win,
        "FPB": full.white if full else scheme.win,
        "HPB": scheme.half_bye,
    }
    return {key: value * unit for key, value in points.items()}


def cell_text(opponent: int | None, colour: str, code: str) -> str:
    """The 8 columns of a round: opponent, colour, result."""
    number = "0000" if opponent is None else f"{opponent:>4}"
    return f"{number} {colour or '-'} {code or ' '}"


def write(file: TrfFile) -> str:
    """The report file as text. `losses` tells beforehand what the format cannot hold."""
    lines: list[str] = []
    for line in _complete(file):
        if line.text:
            lines.append(line.text)
        elif line.tag == "001":
            lines += _player_lines(file)
        else:
            lines += _WRITERS[line.tag](file)
    return "".join(line.rstrip() + file.newline for line in lines)


def losses(file: TrfFile) -> tuple[Loss, ...]:
    """What `write` leaves out or shortens because the format has no place for it."""
    found = []
    for player in file.tournament.players:
        if len(player.name) > 33:
            found.append(Loss(what="name", player=player.number, value=player.name))
        if player.club:
            found.append(Loss(what="club", player=player.number, value=player.club))
        if player.withdrawn_after is not None:
            found.append(Loss(what="withdrawal", player=player.number, value=str(player.withdrawn_after)))
        if player.number > 9999 or player.rating > 9999:
            found.append(Loss(what="number", player=player.number, value=f"{player.number}, {player.rating}"))
    for round_ in file.tournament.rounds:
        found += [
            Loss(what="annulled game", player=board.white, round=round_.number, value=str(board.black))
            for board in round_.boards
            if board.outcome is Outcome.VOID
        ]
    found += [
        Loss(what="reason", player=adjustment.player, round=adjustment.after_round, value=adjustment.reason)
        for adjustment in file.tournament.adjustments
        if adjustment.reason
    ]
    return tuple(found)


def _complete(file: TrfFile) -> list[Line]:
    """The layout, with the records that it lacks and the tournament needs before the first player."""
    layout = list(file.layout)
    present = {line.tag for line in layout if not line.text}
    for names in _ALTERNATIVES:
        if present & set(names):
            present |= set(names)
    if layout and games.first_colour(file.tournament.rounds) is file.tournament.initial_colour:
        present |= {"152", "XXC"}  # a reader concludes the colour from the first round
    missing = [Line(tag=tag) for tag in _STANDARD_LAYOUT[file.dialect] if tag not in present]
    if _beyond_others(file) and all(line.tag != "XXS" for line in layout):
        missing.insert(len(missing) - ("001" not in present), Line(tag="XXS"))
    at = next((index for index, line in enumerate(layout) if line.tag == "001"), len(layout))
    return layout[:at] + missing + layout[at:]


def _name(file: TrfFile) -> list[str]:
    return [f"012 {file.tournament.name}"] if file.tournament.name else []


def _rounds(tag: str) -> Callable[[TrfFile], list[str]]:
    def lines(file: TrfFile) -> list[str]:
        total = file.tournament.rounds_total
        return [f"{tag} {total}"] if total else []

    return lines


def _colour(file: TrfFile) -> list[str]:
    return [f"152 {file.tournament.initial_colour.value.upper()}"]


def _configuration(file: TrfFile) -> list[str]:
    colour = "white1" if file.tournament.initial_colour is Colour.WHITE else "black1"
    return [f"XXC {'rank ' if file.rank_order else ''}{colour}"]


def _changed_points(file: TrfFile) -> dict[str, int]:
    """The entries of the point system that differ from what a reader assumes."""
    scale = scale_of(file.tournament.scheme, file.unit)
    assumed = {**FILE_SCALE_DEFAULT, **dict.fromkeys(("U", "FW", "FPB"), scale["W"]), "HPB": scale["D"]}
    return {key: value for key, value in scale.items() if value != assumed[key]}


def _point_system(file: TrfFile) -> list[str]:
    changed = _changed_points(file)
    letters = {"W": "W", "D": "D", "L": "L", "Z": "A", "U": "P"}
    parts = [f"{letters[key]}{points_text(changed[key]):>4}" for key in letters if key in changed]
    return ["162  " + "    ".join(parts)] if parts else []


def _old_points(key: str) -> Callable[[TrfFile], list[str]]:
    def lines(file: TrfFile) -> list[str]:
        changed = _changed_points(file)
        return [f"BB{key} {points_text(changed[key]):>4}"] if key in changed else []

    return lines


def _javafo_points(file: TrfFile) -> list[str]:
    """An XXS line; beside other records only what these cannot say, with the bye, which XXS takes for 1.0."""
    scale, changed = scale_of(file.tournament.scheme, file.unit), _changed_points(file)
    alone = not {"162", "BBW"} & {line.tag for line in _complete(file)}
    if alone:
        keys = [key for key in _XXS_LETTERS if key in changed or key == "U"]
    else:
        keys = ["U", *_beyond_others(file)]
    parts = [f"{_XXS_LETTERS[key]}={points_text(scale[key])}" for key in keys]
    return [f"XXS {' '.join(parts)}"] if changed else []


def _beyond_others(file: TrfFile) -> list[str]:
    """The points that the records of the dialect cannot say: 162 has one value for absences and forfeit losses."""
    changed, scheme = _changed_points(file), file.tournament.scheme
    found: list[str] = [key for key in ("FW", "FPB", "HPB") if key in changed]
    apart = file.dialect is Dialect.TRF26 and scheme.forfeit_loss != scheme.zero_bye
    return [*found, "F"] if apart else found


_XXS_LETTERS: Mapping[str, str] = {
    "W": "W", "D": "D", "L": "L", "Z": "ZPB", "F": "FL", "U": "PAB", "FW": "FW", "FPB": "FPB", "HPB": "HPB",
}  # fmt: skip


def _by_range(players: Iterable[int]) -> list[tuple[int, int]]:
    """Consecutive numbers as (first, last)."""
    ordered = sorted(players)
    stretches = groupby(enumerate(ordered), key=lambda item: item[1] - item[0])
    return [
        (members[0], members[-1]) for members in ([player for _, player in group] for _, group in stretches)
    ]


def _virtual(file: TrfFile) -> list[str]:
    return [
        f"250      {points_text(given.points * file.unit):>4} {given.first_round:03} {given.last_round:03} {low:04} {high:04}"
        for given in file.tournament.virtual_points
        for low, high in _by_range(given.players)
    ]


def _virtual_cells(file: TrfFile) -> list[str]:
    rows: dict[int, dict[int, int]] = {}
    for given in file.tournament.virtual_points:
        for player in given.players:
            row = rows.setdefault(player, {})
            for round_ in range(given.first_round, given.last_round + 1):
                row[round_] = row.get(round_, 0) + given.points * file.unit
    return [
        f"XXA {player:>4} "
        + " ".join(f"{points_text(row.get(round_, 0)):>4}" for round_ in range(1, max(row) + 1))
        for player, row in sorted(rows.items())
    ]


def _group_line(group: ForbiddenGroup) -> str:
    players = " ".join(f"{player:>4}" for player in sorted(group.players))
    return f"260 {group.first_round:>3} {group.last_round:>3} {players}"


def _forbidden(file: TrfFile) -> list[str]:
    return [_group_line(group) for group in file.tournament.forbidden]


def _forbidden_always(file: TrfFile) -> list[str]:
    """XXP lines; a group limited to some rounds needs the newer record, which knows rounds."""
    return [
        "XXP " + " ".join(str(player) for player in sorted(group.players))
        if (group.first_round, group.last_round) == (1, 999)
        else _group_line(group)
        for group in file.tournament.forbidden
    ]


def _requests_in_columns(file: TrfFile) -> bool:
    return file.dialect is Dialect.TRF16 and not {"240", "XXZ"} & {line.tag for line in file.layout}


def _byes(file: TrfFile) -> list[str]:
    byes = [(bye.kind, bye.round, bye.player) for bye in file.tournament.requested_byes if not bye.allocated]
    lines = []
    for (kind, round_), group in groupby(byes, key=lambda bye: bye[:2]):
        players = [f"{player:>4}" for _, _, player in group]
        lines += [
            f"240 {_REQUEST_CODES[kind]} {round_:>3} {' '.join(players[start : start + BYES_PER_LINE])}"
            for start in range(0, len(players), BYES_PER_LINE)
        ]
    return lines


def _absent(file: TrfFile) -> list[str]:
    following = len(file.tournament.rounds) + 1
    players = [
        str(bye.player)
        for bye in file.tournament.requested_byes
        if bye.round == following and bye.kind is Outcome.ZERO_BYE
    ]
    return ["XXZ " + " ".join(players)] if players else []


def _abnormal(file: TrfFile) -> list[str]:
    """299 records: rulings that give or take points, and results whose points are not those of the plain outcome."""

    def line(letter: str, points: int, round_: int, player: int) -> str:
        return f"299 {letter:1}        {points_text(points * file.unit):>4}  {round_:03} {player:>4}"

    lines = [
        line(" ", entry.points, entry.after_round, entry.player) for entry in file.tournament.adjustments
    ]
    for round_ in file.tournament.rounds:
        for board in round_.boards:
            grade = file.tournament.scheme.grades.get(board.grade)
            if grade is None or board.grade == "F" or board.grade in games.UNEQUAL_GRADES:
                continue
            codes = games.CELL_CODES[board.outcome]
            for player, code, points in (
                (board.white, codes[0], grade.white),
                (board.black, codes[1], grade.black),
            ):
                if player is not None:
                    lines.append(line(_LETTERS.get(code, code), points, round_.number, player))
    return lines


_LETTERS: Mapping[str, str] = {"1": "W", "=": "D", "0": "L", "U": "F"}


def _player_lines(file: TrfFile) -> list[str]:
    rows = _rows(file)
    points = _stated_points(file)
    return [
        _player_columns(player, points_text(points[player.number] * file.unit), file.ranks.get(player.number))
        + "".join("  " + cell for cell in rows[player.number])
        for player in file.tournament.players
    ]


def _player_columns(player: Player, points: str, rank: int | None) -> str:
    rating = str(player.rating) if player.rating else ""
    return (
        f"001 {player.number:>4} {player.sex[:1]:1}{player.title[:3]:>3} {player.name[:33]:<33} {rating:>4} "
        f"{player.federation[:3]:>3} {player.fide_id[:11]:>11} {player.birth[:10]:>10} {points:>4} "
        f"{'' if rank is None else rank:>4}"
    )


def _stated_points(file: TrfFile) -> dict[int, int]:
    tournament = file.tournament
    points = totals(tournament)
    following = len(tournament.rounds) + 1
    if file.points_with_requested:
        for bye in tournament.requested_byes:
            if bye.round >= following:
                points[bye.player] += requested_points(tournament.scheme, bye)
    if file.points_with_virtual:
        for given in tournament.virtual_points:
            if given.first_round <= following <= given.last_round:
                for player in given.players:
                    points[player] += given.points
    return points


def requested_points(scheme: ResultScheme, bye: RequestedBye) -> int:
    """Points of a bye asked for: a full one is a win, whatever the bye of an odd number is worth."""
    if bye.kind is Outcome.BYE:
        full = scheme.grades.get("F")
        return scheme.bye if bye.allocated else full.white if full else scheme.win
    return scheme.half_bye if bye.kind is Outcome.HALF_BYE else scheme.zero_bye


def _rows(file: TrfFile) -> Mapping[int, Sequence[str]]:
    tournament = file.tournament
    granted = full_byes(tournament)
    rows: dict[int, list[str]] = {player.number: [] for player in tournament.players}
    for round_ in tournament.rounds:
        for row in rows.values():
            row.append(BLANK)
        for board in round_.boards:
            for player, text in canonical_cells(board, round_.number, granted):
                mark = file.marks.get((player, round_.number))
                rows[player][-1] = mark if mark is not None and _same(mark, text) else text
    for bye in sorted(tournament.requested_byes, key=lambda bye: bye.round):
        if bye.allocated or _requests_in_columns(file):
            row = rows[bye.player]
            if bye.round > len(tournament.rounds):
                row += [BLANK] * (bye.round - 1 - len(row))
                row.append(cell_text(None, "-", "U" if bye.allocated else _REQUEST_CODES[bye.kind]))
    return rows


def full_byes(tournament: Tournament) -> frozenset[tuple[int, int]]:
    """(player, round) of the full-point byes that were asked for: F in the file, not U."""
    return frozenset(
        (bye.player, bye.round)
        for bye in tournament.requested_byes
        if bye.kind is Outcome.BYE and not bye.allocated
    )


def canonical_cells(board: Board, round_: int, granted: frozenset[tuple[int, int]]) -> list[tuple[int, str]]:
    """The cells that a board gives to its players, as this program writes them."""
    codes = games.CELL_CODES[board.outcome]
    if board.grade in games.UNEQUAL_GRADES:
        codes = board.grade[0], board.grade[1]
    if board.outcome is Outcome.VOID:
        return [(player, BLANK) for player in (board.white, board.black) if player is not None]
    if board.outcome in BYES or board.black is None:
        full = board.grade == "F" or (board.white, round_) in granted
        code = "F" if full and board.outcome is Outcome.BYE else codes[0]
        return [(board.white, cell_text(None, "-", code))]
    return [
        (board.white, cell_text(board.black, "w", codes[0])),
        (board.black, cell_text(board.white, "b", codes[1])),
    ]


def _same(mark: str, text: str) -> bool:
    """Whether a result as the file wrote it still says what the board says (a mark may leave out the colour)."""
    if mark == text:
        return True
    opponents = mark[:4].strip(" 0"), text[:4].strip(" 0")
    codes = games.plain(mark[7].upper().strip()), games.plain(text[7].strip())
    if not opponents[0] and not opponents[1]:
        return games.BYE_OUTCOMES.get(codes[0]) is games.BYE_OUTCOMES.get(codes[1])
    colours = mark[5].lower(), text[5]
    same_colour = colours[0] in (" ", "-") or colours[0] == colours[1]
    return mark[:4].strip() == text[:4].strip() and codes[0] == codes[1] and same_colour


_WRITERS: Mapping[str, Callable[[TrfFile], list[str]]] = {
    "012": _name,
    "142": _rounds("142"),
    "XXR": _rounds("XXR"),
    "152": _colour,
    "XXC": _configuration,
    "162": _point_system,
    "XXS": _javafo_points,
    "BBW": _old_points("W"),
    "BBD": _old_points("D"),
    "BBL": _old_points("L"),
    "BBZ": _old_points("Z"),
    "BBF": _old_points("F"),
    "BBU": _old_points("U"),
    "250": _virtual,
    "XXA": _virtual_cells,
    "260": _forbidden,
    "XXP": _forbidden_always,
    "240": _byes,
    "XXZ": _absent,
    "299": _abnormal,
}
