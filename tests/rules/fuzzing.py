"""Nonsense for the PDN reader and for `validate`: `python -m tests.rules.fuzzing 600 [SEED]` runs ten minutes.

Each input is at most 64 KiB: real-looking games cut, repeated and spoilt, brackets nested without end, positions full
of kings. Nothing may raise but the reader's own two errors, no input may take longer than a second, and memory may
not grow. The suite runs the same for a few inputs.
"""

from __future__ import annotations

import contextlib
import random
import resource
import sys
import time
from collections.abc import Callable

from rules import EncodingError, PdnError, Position, Sheet, read_pdn, sheet_of, validate, write_pdn
from rules.board import BLACK_PROMOTION, WHITE_PROMOTION, mask_of
from rules.record import record
from tests.rules.played import chance_game

LARGEST = 64 * 1024
SLOWEST_SECONDS = 1.0

_PIECES = (
    '[Event "x"]', '[White "a\\"b"]', '[FEN "W:W31-50:B1-20"]', '[FEN "?:WK1,K2:B"]', '[Result "1-1"]',
    '[GameType "20"]', '[GameType "25"]', "[", "]", '"', "{", "}", "{[%clock w0:10:00 B0:10:00]}", "(", ")",
    '/FEN "B::"/', '/FEN "W:WK1:BK50"/', "/FEN", "$1", "$", "!?", "(!)", "1.", "12...", "...", "…", "*", "1-1",
    "2-0", "1/2-1/2", "½-½", "32-28", "19x23", "19×23", "32–28", "1- 7", "06-11", "3228", "47x38x24x13x36",
    "4x15 a.l.", "+", "=", "-", "--", "- -", "a3b4", "c3:d4", "abc", "\\r", "\\n", "\n", "\r\n", "\r", "\t", " ",
    "%", ";", "\u00a0", "\u3000", "\ufeff", "\x00", "é", "棋", "х", "99-1", "0:10:00", "1 2 3", "9" * 50, "x" * 40,
)  # fmt: skip


def junk(chance: random.Random) -> str:
    """Pieces of PDN in any order."""
    words = chance.choices(_PIECES, k=chance.choice((3, 30, 300, 3000, 20_000)))
    return chance.choice(("", " ", "\n")).join(words)


def repeated(chance: random.Random) -> str:
    """One thing over and over: the worst for whatever looks ahead or nests."""
    piece = "".join(chance.choices(_PIECES, k=chance.randint(1, 4)))
    return (piece + chance.choice(("", " ", "\n"))) * (LARGEST // (len(piece) + 1))


def spoilt_game(chance: random.Random) -> str:
    """Games by chance with characters changed, dropped or doubled."""
    games = [
        " ".join(chance_game(chance.randrange(40), plies=200).moves) for _ in range(chance.randint(1, 40))
    ]
    text = list("\n\n".join(games))
    for _ in range(chance.randint(0, 60)):
        at = chance.randrange(len(text))
        text[at] = chance.choice(("", text[at] * 2, chance.choice("0123456789-x [](){}%;.\n")))
    return "".join(text)


def strewn_position(chance: random.Random) -> str:
    numbers = chance.sample(range(1, 51), chance.randint(2, 40))
    cut = max(len(numbers) - 20, min(20, chance.randint(1, len(numbers) - 1)))
    whites, blacks = mask_of(numbers[:cut]), mask_of(numbers[cut:])
    kings = mask_of(n for n in numbers if chance.random() < 0.5)
    white_kings, black_kings = whites & (kings | WHITE_PROMOTION), blacks & (kings | BLACK_PROMOTION)
    return Position(
        whites ^ white_kings, white_kings, blacks ^ black_kings, black_kings, chance.random() < 0.5
    ).fen()


def many_positions(chance: random.Random) -> str:
    """Set-ups full of kings, each with a few squares that may be a capture."""
    found = []
    length = 0
    while length < LARGEST:
        squares = "x".join(str(chance.randint(1, 50)) for _ in range(chance.randint(2, 12)))
        form = chance.choice(('[FEN "{}"]\n1. {} *\n', '/FEN "{}"/ {} '))
        found.append(form.format(strewn_position(chance), squares))
        length += len(found[-1])
    return "".join(found)


LATTICES = (
    "W:WK18:BK11,K12,K13,K14,K21,K22,K23,K24,K31,K32,K33,K34,K41,K42,K43,K44",
    "W:WK7:BK10,K11,K12,K13,K14,K21,K22,K23,K24,K31,K32,K33,K34,K37,K41,K43,K44",
    "W:WK16,K25:BK10,K11,K12,K13,K14,K21,K22,K23,K24,K31,K32,K34,K42,K44",
    "W:WK1,K13:BK7,K8,K9,K10,K17,K18,K19,K20,K27,K28,K29,K30,K37,K38,K39,K40",
)
"""The costliest capture trees found by search."""


def lattices(chance: random.Random) -> str:
    fen = chance.choice(LATTICES)
    king = fen[4:].split(":")[0].split(",")[0].strip("K")
    move = chance.choice((f"{king}x{chance.randint(1, 50)}", f"{king}-{chance.randint(1, 50)}"))
    game = chance.choice((f'[FEN "{fen}"]\n{move} *\n', f'/FEN "{fen}"/ {move} '))
    return game * (LARGEST // len(game))


MAKERS: tuple[Callable[[random.Random], str], ...] = (
    junk,
    repeated,
    spoilt_game,
    many_positions,
    lattices,
)


def made(chance: random.Random) -> bytes:
    """One input of at most 64 KiB, in some encoding, now and then with bytes that are none."""
    text = chance.choice(MAKERS)(chance)
    encoding = chance.choice(("utf-8", "utf-8", "utf-8", "utf-16", "gb18030", "cp1251", "latin-1"))
    data = text.encode(encoding, errors="replace")[:LARGEST]
    if chance.random() < 0.1 and data:
        spoilt = bytearray(data)
        for _ in range(20):
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        data = bytes(spoilt)
    return data


def judge(data: bytes) -> int:
    """Read, judge and write back whatever is in there; the number of games."""
    games = 0
    with contextlib.suppress(EncodingError, PdnError):
        file = read_pdn(data)
        for number, game in enumerate(file.games, 1):
            sheet = sheet_of(game)
            record(number, sheet, validate(sheet))
            games += 1
        write_pdn(file.games)
    with contextlib.suppress(UnicodeDecodeError):
        words = tuple(data.decode("latin-1").split())
        validate(Sheet(moves=words, accepted=frozenset(range(1, 50))))
    return games


def main(seconds: float, seed: int) -> int:
    chance = random.Random(seed)
    end = time.monotonic() + seconds
    inputs = games = 0
    slowest = 0.0
    while time.monotonic() < end:
        data = made(chance)
        before = time.process_time()
        games += judge(data)
        taken = time.process_time() - before
        inputs += 1
        if taken > slowest:
            slowest = taken
            print(f"input {inputs}: {len(data)} bytes, {taken:.3f} s: {data[:100]!r}", flush=True)
        if taken > SLOWEST_SECONDS:
            return 1
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{inputs} inputs (seed {seed}), {games} games: no error, slowest {slowest:.3f} s, {memory} MiB at most"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
