"""From a game of a file, or from typed text, to a `Sheet` that can be judged.

Promises: nothing is guessed about moves; the variant, the start position, set-ups, results, times and the ending are
taken from where PDN and its dialects put them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rules.beside import beside
from rules.board import START, FenError, Position, Side
from rules.draws import DrawOffer
from rules.layouts import Layout, arrange
from rules.notation import from_algebraic, parse
from rules.pdn import PdnGame, read_pdn
from rules.pdn_tokens import TokenKind
from rules.prose import result_in, times_in
from rules.replay import replay
from rules.sheet import Aside, Ending, Sheet, Unread
from rules.signs import fold

_TURN_ONLY = re.compile(r"([WB])::?", re.IGNORECASE)
_SMALL_BOARD = 32
_SMALL_BOARD_MOVES = 4
"""So many moves within 32 squares are no slip of the pen: the game was played on 64 squares."""


def sheet_of(game: PdnGame) -> Sheet:
    """The sheet a PDN game stands for. Never raises: a start position or set-up that is none is left in
    `bad_setups` for the verdict to name."""
    variant = _declared_variant(game)
    if variant is not None:
        return Sheet(moves=(), variant=variant, result=game.tag("Result"))
    body = _body(game)
    fen = _plain_fen(game.tag("FEN"))
    start, bad_start = _start(fen, body)
    bad_setups = list(body.bad_setups)
    if bad_start is not None:
        bad_setups.append((0, bad_start))
    unread, asides = beside(game.items)
    moves = body.moves
    layouts: tuple[Layout, ...] = ()
    if start == START and not body.setups and bad_start is None:
        moves, layouts = arrange(body.moves)
    is_short = _is_short(game.tag("TimeControl"))
    times = {side: value for aside in asides for side, value in times_in(aside.text).items()}
    sheet = Sheet(
        moves=moves,
        layouts=layouts,
        start=start,
        setups=body.setups,
        bad_setups=tuple(bad_setups),
        result=game.tag("Result") or _declared_in(asides),
        text_result=body.result,
        end_mark=body.end_mark,
        draw_offers=_offers(game, start.side),
        ended_by=_ending(game),
        white_seconds=seconds_of(game.tag("WhiteTime") or times.get("white"), is_short=is_short),
        black_seconds=seconds_of(game.tag("BlackTime") or times.get("black"), is_short=is_short),
        unread=(*_variant_against_type(game), *unread),
        asides=asides,
    )
    return _checked_for_small_board(game, sheet, fen)


def _declared_in(asides: Sequence[Aside]) -> str | None:
    """The result that a header or footer declares."""
    return next((found for aside in asides if (found := result_in(aside.text)) is not None), None)


def sheets_of(data: bytes | str) -> tuple[Sheet, ...]:
    """All sheets of a PDN file or of typed text. Raises `EncodingError` and `PdnError` as `read_pdn` does."""
    return tuple(sheet_of(game) for game in read_pdn(data).games)


def read_sheet(text: str) -> Sheet:
    """One sheet from what a player typed or pasted: PDN, a list of moves with or without numbers, one move a line, the
    squares side by side. Raises `PdnError` when no move is in it, and when it holds several games."""
    games = read_pdn(text).games
    if len(games) > 1:
        from rules.pdn import PdnError

        raise PdnError(f"{len(games)} games: hand in one at a time; the second begins here", games[1].line)
    return sheet_of(games[0])


_OFFER = (TokenKind.OPEN, TokenKind.MARK, TokenKind.CLOSE)


def _offers(game: PdnGame, first: Side) -> tuple[DrawOffer, ...]:
    """`(=)` behind a move: the side that made it offered a draw there."""
    found = []
    plies = 0
    for index, item in enumerate(game.items):
        if not item.depth and item.kind in (TokenKind.MOVE, TokenKind.ALGEBRAIC):
            plies += 1
        three = game.items[index : index + 3]
        if (
            plies
            and tuple(part.kind for part in three) == _OFFER
            and three[1].text == "="
            and item.depth == 1
        ):
            found.append(DrawOffer(plies, first if plies % 2 else first.opponent))
    return tuple(dict.fromkeys(found))


class _Body(NamedTuple):
    moves: tuple[str, ...]
    setups: tuple[tuple[int, Position | Side], ...]
    bad_setups: tuple[tuple[int, str], ...]
    result: str | None
    end_mark: str | None
    white_missing: bool
    """The first move stands behind an ellipsis, so Black made it."""


def _body(game: PdnGame) -> _Body:
    moves: list[str] = []
    setups: list[tuple[int, Position | Side]] = []
    bad_setups: list[tuple[int, str]] = []
    result = end_mark = None
    white_missing = False
    for item in game.items:
        if item.depth:
            continue
        match item.kind:
            case TokenKind.MOVE:
                moves.append(item.text)
            case TokenKind.ALGEBRAIC:
                moves.append(from_algebraic(item.text) or item.text)
            case TokenKind.NUMBER | TokenKind.ELLIPSIS:
                dots = item.text.count(".") + 3 * item.text.count("…")
                white_missing = white_missing or (not moves and dots > 1)
            case TokenKind.SETUP:
                setup = _read_setup(item.text)
                if setup is None:
                    bad_setups.append((len(moves), item.text))
                else:
                    setups.append((len(moves), setup))
            case TokenKind.RESULT:
                result = item.text
            case TokenKind.MARK if item.text in "+=#":
                end_mark = item.text.replace("#", "+")
            case TokenKind.MARK if moves:
                moves[-1] += " a.l."
    if moves and end_mark is None:
        end_mark = parse(moves[-1]).end_mark or None
    return _Body(tuple(moves), tuple(setups), tuple(bad_setups), result, end_mark, white_missing)


def _plain_fen(text: str | None) -> str | None:
    """A FEN with full-width signs and dashes of any kind in the usual ones."""
    return None if text is None else fold(text)


def _read_setup(text: str) -> Position | Side | None:
    turn = _TURN_ONLY.fullmatch("".join(text.split()))
    if turn is not None:
        return Side(turn[1].upper())
    try:
        return Position.from_fen(fold(text))
    except FenError:
        return None


def _start(fen: str | None, body: _Body) -> tuple[Position, str | None]:
    """(start position, the FEN if it is none). A turn the FEN leaves open is that of the first piece moved."""
    if fen is None or not fen.strip():
        return START, None
    try:
        position = Position.from_fen(fen, unknown_turn=Side.WHITE)
    except FenError:
        return START, fen
    known = fen.strip()[0] in "WBwb"
    first = parse(body.moves[0]) if body.moves else None
    if first is None or first.fault is not None or (known and not body.white_missing):
        return position, None
    piece = position.piece_at(first.origin)
    return (position if piece is None else position.with_turn(piece.side)), None


def _declared_variant(game: PdnGame) -> str | None:
    """The name of another game, when the tags or the notation say so."""
    number = _game_number(game.tag("GameType")) or _game_number(game.tag("Variant"))
    if number not in (None, _THIS_GAME):
        return f"gametype-{number}"
    fen = game.tag("FEN")
    if fen and re.search(r"[a-h][1-8]", fen):
        return "algebraic-8x8"
    kinds = {item.kind for item in game.items if not item.depth}
    if TokenKind.ALGEBRAIC in kinds and TokenKind.MOVE not in kinds and number is None:
        return "algebraic-8x8"
    return None


_THIS_GAME = "20"
_GAMES = {
    "20": "international polish standard 100 10x10 国际",
    "21": "english american checkers",
    "22": "italian",
    "23": "pool",
    "24": "spanish",
    "25": "russian",
    "26": "brazilian brazil brasil",
    "27": "canadian 12x12",
    "28": "portuguese",
    "29": "czech",
    "30": "turkish",
    "31": "thai",
    "40": "frisian frysk fryske",
    "41": "spantsiretti",
}
"""Names of games by the number PDN gives them."""


def _game_number(text: str | None) -> str | None:
    """The number of the game that a tag names by number or in words; `None` when it says nothing known."""
    if text is None:
        return None
    number = re.match(r"\s*(\d+)(?!\d*x)", text)
    if number is not None and number[1] != "100":
        return number[1]
    words = set(re.findall(r"\w+", text.casefold()))
    return next((game for game, names in _GAMES.items() if words & set(names.split())), None)


def _variant_against_type(game: PdnGame) -> tuple[Unread, ...]:
    """A variant that is not the game its type names: which of the two was played nobody can tell from them."""
    variant, kind = game.tag("Variant"), _game_number(game.tag("GameType"))
    if kind is None or _game_number(variant) in (None, kind):
        return ()
    return (Unread(f'[Variant "{variant}"]', game.line, 1, 1),)


def _checked_for_small_board(game: PdnGame, sheet: Sheet, fen: str | None) -> Sheet:
    """Recognise a game on 64 squares that nothing declares: set up and played within squares 1 to 32, or played so from
    the start, where its moves are not legal on this board. `[GameType "20"]` tells the reader otherwise."""
    if sheet.layouts or game.tag("GameType") is not None or (fen is not None and not _could_be_position(fen)):
        return sheet
    squares = _squares_of(sheet.moves)
    if fen is not None:
        squares += [int(number) for number in re.findall(r"\d+", fen)]
    if not squares or max(squares) > _SMALL_BOARD:
        return sheet
    if fen is None and not _played_on_small_board(sheet.moves):
        return sheet
    if (
        fen is not None
        and sheet.moves
        and replay(sheet.moves, sheet.start, setups=dict(sheet.setups)).stop is None
    ):
        return sheet
    return Sheet(moves=(), variant="draughts-8x8", result=sheet.result)


def _could_be_position(fen: str) -> bool:
    """Whether it is one on some board: a man on our promotion row may stand elsewhere on a smaller one."""
    try:
        Position.from_fen(fen, unknown_turn=Side.WHITE, uncrowned=True)
    except FenError:
        return False
    return True


def _squares_of(moves: Sequence[str]) -> list[int]:
    return [square for move in moves for square in parse(move).path]


def _played_on_small_board(moves: Sequence[str]) -> bool:
    """Whether none of the moves is one of this board, or already the first is not legal here (no game begins alike on
    both boards) and they go, the quiet ones, to the next row of a board with four squares a row."""
    if all(parse(move).fault for move in moves):
        return True
    stop = replay(moves, START).stop
    if len(moves) < _SMALL_BOARD_MOVES or stop is None or stop.ply > 1:
        return False
    quiet = [written.path for written in map(parse, moves) if len(written.path) == 2 and not written.takes]
    fitting = sum(
        1
        for start, end in quiet
        if abs((start - 1) // 4 - (end - 1) // 4) == 1 and abs(start - end) in (3, 4, 5)
    )
    return fitting * 2 > len(quiet)


def _ending(game: PdnGame) -> Ending | None:
    termination = (game.tag("Termination") or "").strip().lower()
    if "time" in termination:
        return Ending.TIME
    return None


_CLOCK = re.compile(r"\s*(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s*")


_CONTROL = re.compile(r"\s*(\d{1,5})\s*(')?\s*(?:\+.*)?")
_SHORT_GAME = 30 * 60


def _is_short(control: str | None) -> bool:
    """Whether the time control, `300+3` or `5'+3"`, gives less than half an hour, so that times are written m:ss."""
    match = _CONTROL.fullmatch(control) if control else None
    return match is not None and 0 < int(match[1]) * (60 if match[2] else 1) < _SHORT_GAME


def seconds_of(text: str | None, *, is_short: bool = False) -> int | None:
    """`H:MM:SS`, `H:MM` or `H.MM` in seconds, in a short game `M:SS`; `None` for anything else."""
    match = _CLOCK.fullmatch(text) if text else None
    if match is None:
        return None
    first, second, third = int(match[1]), int(match[2]), match[3]
    if second > 59 or int(third or 0) > 59:
        return None
    if is_short and third is None:
        return first * 60 + second
    return first * 3600 + second * 60 + int(third or 0)
