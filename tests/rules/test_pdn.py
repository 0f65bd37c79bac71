from __future__ import annotations

import pytest

from rules import (
    PdnError,
    Position,
    Sheet,
    Side,
    Status,
    game_of,
    read_pdn,
    read_sheet,
    sheet_of,
    sheets_of,
    validate,
    write_pdn,
)
from rules.pdn_sheet import seconds_of
from tests.rules.played import chance_game


def moves_of(text: str) -> list[tuple[str, ...]]:
    return [game.moves for game in read_pdn(text).games]


@pytest.mark.parametrize(
    "text",
    [
        "1. 32-28 19-23 2. 28x19 14x23",
        "1.32-28 19-23 2.28x19 14x23 *",
        "01. 32-28  19-23\r\n02. 28x19  14x23\r\n",
        "1. 32-28 19-23\r2. 28x19 14x23\r1-1\r",
        "1. 32-28 {good {nested} one} 19-23 (18-23 38-32 (37-32? 23-29!) 12-18) 2. 28x19 $1 14x23!? 2-0",
        "% a line to itself\n1. 32-28 19-23 ; the rest of the line\n2. 28x19 14x23",
        "1. 32-28 19-23\\r\n2. 28x19 14x23\\r\n",
        "1 32-28 19-23\n2 28x19 14x23\n",
    ],
)
def test_one_game_in_many_dialects(text):
    assert moves_of(text) == [("32-28", "19-23", "28x19", "14x23")]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. 32 - 28 1- 7", ("32 - 28", "1- 7")),
        ("32 28\n19 23\n28 19", ("32 28", "19 23", "28 19")),
        ("1 32 28 19 23\n2 28 19 14 23", ("32 28", "19 23", "28 19", "14 23")),
        ("1. 32‒28 19–23 2. 28×19 14х23", ("32‒28", "19–23", "28×19", "14х23")),
        ("1. 32-28 2-0 ", ("32-28",)),
        ("1. 1-12 1-1", ("1-12",)),
        ("1. 32-28 19-23 41. - -", ("32-28", "19-23")),
        ("1. 32-28 - 2. 31-27", ("32-28", "-", "31-27")),
        ("3228 1823", ("3228", "1823")),
        ("32-28+ ", ("32-28",)),
        ("３２－２８ １９ｘ２３", ("３２－２８", "１９ｘ２３")),
        ("1、32-28 19-23 2、28x19", ("32-28", "19-23", "28x19")),
        ("1: 32-28 19-23 2: 28x19 14x23", ("32-28", "19-23", "28x19", "14x23")),
        ("1. 32\u2009-\u200928 19\u202f–\u202f23", ("32\u2009-\u200928", "19\u202f–\u202f23")),
        ("32\u2009-\u200928\n19\u200b-\u200b23", ("32\u2009-\u200928", "19\u200b-\u200b23")),
        ("1. 32-28！ 19-23？！ 2. 28×19＋", ("32-28", "19-23", "28×19")),
        ("1) 32-28, 19-23; 28x19", ("32-28", "19-23", "28x19")),
        ("White: Li, 2024-05-01\nRound 3, 2024\n1. 32-28 19-23", ("32-28", "19-23")),
        ("3228 1823 2824", ("3228", "1823", "2824")),
    ],
)
def test_moves_as_they_stand_on_paper(text, moves):
    assert moves_of(text) == [moves]


def test_games_are_told_apart():
    text = '[White "A"]\n1. 32-28 1-1\n[White "B"]\n1. 31-27 *\n\n1. 33-29 0-2 1. 34-30'

    games = read_pdn(text).games

    assert [game.moves for game in games] == [("32-28",), ("31-27",), ("33-29",), ("34-30",)]
    assert [game.line for game in games] == [1, 3, 6, 6]


def test_tags_under_their_usual_and_foreign_names():
    text = '[Bianco "Rossi"]\n[Nero "D\\"A"]\n[Risultato "1-0"]\n[WhiteClock "1.59"]\n1. 32-28'

    (game,) = read_pdn(text).games

    assert (game.tag("White"), game.tag("Black"), game.tag("Result")) == ("Rossi", 'D"A', "1-0")
    assert sheet_of(game).white_seconds == 7140


def test_names_of_tags_may_be_foreign_words_and_entities():
    text = '[White "A"]\n[Type de jeu "20"]\n[Elo "2205"]\n[R&#x00e9;sultat "1-1"]\n[Heure noire "0:10:00"]\n1. 32-28'

    (game,) = read_pdn(text).games

    assert (game.tag("White"), game.tag("GameType"), game.moves) == ("A", "20", ("32-28",))
    assert (validate(sheet_of(game)).result, sheet_of(game).black_seconds) == ("1-1", 600)


def test_an_unfinished_tag_is_noted_with_its_line():
    file = read_pdn('[Date "2007.05[Event "Test"]\n1. 32-28')

    assert [(note.line, note.code) for note in file.notes] == [(1, "tag-unfinished")]
    assert file.games[0].tag("Event") == "Test"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("1. 32-28\n{a {b} c} 19-23", [(2, "comment-nested")]),
        ("1. 32-28\n19-23 {never closed\n2. 28x19", [(2, "comment-unclosed")]),
        ("1. 32-28\n(19-23", [(2, "variation-unclosed")]),
        ("1. 32-28\n) 19-23", [(2, "variation-not-open")]),
        ("hello there\n1. 32-28", [(1, "not-pdn")]),
        ("1. 32-28 19-23 2. -", [(1, "move-left-blank")]),
    ],
)
def test_what_is_no_pdn_is_noted_with_its_line(text, notes):
    assert [(note.line, note.code) for note in read_pdn(text).notes] == notes


@pytest.mark.parametrize("text", ["", "   \n\n", "no game at all", "*", "{only a comment}"])
def test_a_file_without_a_game_is_refused(text):
    with pytest.raises(PdnError, match="without a game"):
        read_pdn(text)


def test_bytes_are_decoded_and_the_encoding_reported():
    file = read_pdn('[White "Élodie"]\n1. 32-28'.encode("cp1252"))

    assert (file.encoding, file.games[0].tag("White")) == ("cp1252", "Élodie")


def test_set_ups_turn_and_replace_the_position():
    text = '[FEN "W:W31,37:B19"] 1. 32-23 /FEN "B:W31,32:B19"/ 19-24 /FEN "W::"/ 2. 31-27'

    (sheet,) = sheets_of(text)
    verdict = validate(sheet)

    assert sheet.setups == ((1, Position.from_fen("B:W31,32:B19")), (2, Side.WHITE))
    assert verdict.status is Status.LEGAL
    assert verdict.final_position.fen() == "B:W27,32:B24"


@pytest.mark.parametrize(
    ("fen", "moves", "ply"),
    [("W:W31:B31", "1. 31-27", 0), ("W:W31,36:B19.", '1. 31-27 /FEN "W60"/ 19-24', 1)],
)
def test_set_ups_that_are_no_position_are_named(fen, moves, ply):
    (sheet,) = sheets_of(f'[FEN "{fen}"] {moves}')

    assert (validate(sheet).status, validate(sheet).problem.ply) == (Status.ILLEGAL, ply)


def test_a_fen_that_leaves_the_turn_open_follows_the_first_move():
    (sheet,) = sheets_of('[FEN "?:W36:B19"] 1. ... 19-23 2. 36-31')

    assert sheet.start.side is Side.BLACK
    assert validate(sheet).status is Status.LEGAL


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ('[GameType "25"] 1. c3-d4 b6-c5', "gametype-25"),
        ('[GameType "40"]', "gametype-40"),
        ("1. c3-d4 b6-c5 2. d4xb6 a7xc5", "algebraic-8x8"),
        ('[FEN "W:Wa3,c3:Bb8,d8"] *', "algebraic-8x8"),
        ("1. 11-15 22-17 2. 8-11 23-19 3. 4-8 26-23", "draughts-8x8"),
        ('[FEN "W:W32,27,24,22:B20,15,10,7"] 1. 27-23 20x27', "draughts-8x8"),
        ('[GameType "20"][FEN "W:WK1:B23"] 1. 1x29', None),
        ("1. 32-28 19-23 2. 28x19 14x23", None),
        ("1. 19-23", None),
        ('[GameType "20,W,10,10,A0,0"] 1. a3b4', None),
    ],
)
def test_other_games_are_recognised(text, variant):
    (sheet,) = sheets_of(text)

    assert sheet.variant == variant


def test_results_of_tag_and_text_are_both_kept():
    (sheet,) = sheets_of('[Result "1-0"] 1. 32-28 0-1')

    assert (sheet.result, sheet.text_result) == ("1-0", "0-1")
    assert [found.kind for found in validate(sheet).disagreements] == ["results-differ"]


@pytest.mark.parametrize(
    ("written", "result"),
    [
        ("2:0", "2-0"),
        ("0：2", "0-2"),
        ("1:1", "1-1"),
        ("2－0", "2-0"),
        ("２－０", "2-0"),
        ("１：１", "1-1"),
        ("0–2", "0-2"),
        ("1／2－1／2", "1-1"),
        ("½–½", "1-1"),
        ("2 - 0", "2-0"),
        ("1 : 1\n", "1-1"),
        ("0.5:0.5", "1-1"),
    ],
)
def test_a_result_in_any_signs_is_no_move(written, result):
    sheet = read_sheet(f"1. 32-28 19-23 2. 28x19 14x23 {written}")

    verdict = validate(sheet)

    assert (verdict.status, verdict.plies, verdict.result) == (Status.LEGAL, 4, result)


@pytest.mark.parametrize("result", ["2－0", "２－０", "0：2", "１：１", "1 – 1", "½—½"])
def test_a_result_tag_in_any_signs_is_understood(result):
    (sheet,) = sheets_of(f'[Result "{result}"]\n\n1. 32-28 19-23 *')

    assert validate(sheet).result is not None


def test_a_circular_capture_of_the_corner_square_is_no_result():
    assert moves_of("40. 1:1 7-12 41. 12-18") == [("1:1", "7-12", "12-18")]


def test_a_comment_keeps_its_own_signs():
    (game,) = read_pdn("1. 32-28 {赢了！（１：０）} 19-23").games

    assert [item.text for item in game.items if item.kind == "comment"] == ["赢了！（１：０）"]


@pytest.mark.parametrize("last", ["14x24", "12-0", "5-0", "14-20"])
def test_a_game_that_begins_on_this_board_is_played_on_it(last):
    verdict = validate(read_sheet(f"1. 32-28 19-23 2. 28x19 {last}"))

    assert (verdict.status, verdict.plies, verdict.variant) == (Status.ILLEGAL, 3, None)


def test_the_end_mark_and_a_libitum_mark_are_read():
    (sheet,) = sheets_of("1. 32-28 19-23 2. 28x19 a.l. 14x23 =")

    assert sheet.end_mark == "="
    assert sheet.moves[2] == "28x19 a.l."


def test_a_sheet_typed_by_hand():
    assert read_sheet("32-28\n19-23\n28x19\n").moves == ("32-28", "19-23", "28x19")
    with pytest.raises(PdnError, match="2 games"):
        read_sheet("1. 32-28 1-1 1. 31-27 2-0")


@pytest.mark.parametrize("seed", range(15))
def test_what_is_written_reads_back_as_the_same_game(seed):
    game = chance_game(seed)
    text = f'[White "A \\"B\\" \\\\"]\n[Event "é"]\n\n{" ".join(game.moves)} 2-0'
    read = read_pdn(text).games[0]

    written = write_pdn([read])
    again = read_pdn(written).games[0]

    assert again.moves == read.moves == game.moves
    assert dict(again.tags) == dict(read.tags)
    assert write_pdn([again]) == written
    assert all(len(line) < 80 for line in written.splitlines())


def test_comments_variations_and_set_ups_are_written_back():
    text = '[White "A"]\n\n1. 06-11 {why} $1 (1. 7-11 12:18) 19×23!? /FEN "B::"/ 2-0\n'

    assert write_pdn(read_pdn(text).games) == (
        '[White "A"]\n\n1. 6-11 {why} $1 ( 1. 7-11 12x18 ) 19x23!? /FEN "B::"/ 2-0\n'
    )


def reread(verdict):
    (sheet,) = sheets_of(write_pdn([game_of(verdict, tags={"White": "A"})]))
    return validate(sheet)


@pytest.mark.parametrize("seed", range(10))
def test_a_proved_game_is_written_and_proves_the_same_again(seed):
    verdict = validate(Sheet(moves=chance_game(seed).moves, result="1-0"))

    again = reread(verdict)

    assert again.positions == verdict.positions
    assert (again.status, again.result) == (Status.LEGAL, "2-0")


@pytest.mark.parametrize(
    ("moves", "accepted"),
    [("32-28 19-23 33-29 23x32 37x28", {3}), ("32-28 31-27 19-23", {2})],
)
def test_an_irregular_move_that_stands_is_written_with_the_position_it_led_to(moves, accepted):
    verdict = validate(Sheet(moves=tuple(moves.split()), accepted=frozenset(accepted)))

    again = reread(verdict)

    assert verdict.status is Status.LEGAL
    assert again.status is Status.LEGAL
    assert again.final_position == verdict.final_position


def test_a_game_from_a_position_that_black_begins():
    verdict = validate(Sheet(moves=("19-23", "36-31"), start=Position.from_fen("B:W36:B19")))

    assert write_pdn([game_of(verdict)]) == (
        '[Result "*"]\n[GameType "20"]\n[FEN "B:W36:B19"]\n[PlyCount "2"]\n\n1... 19-23 2. 36-31 *\n'
    )


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1:55:21", 6921),
        ("2:23", 8580),
        ("2.23", 8580),
        ("1:99", None),
        ("", None),
        (None, None),
        ("x", None),
    ],
)
def test_clock_tags(text, seconds):
    assert seconds_of(text) == seconds


@pytest.mark.parametrize(
    ("control", "seconds"),
    [("300+3", 270), ("5'+3\"", 270), ("4800+60", 16_200), ("80'+1'", 16_200), ("", 16_200)],
)
def test_times_of_a_short_game_are_minutes_and_seconds(control: str, seconds: int) -> None:
    text = f'[TimeControl "{control}"]\n[WhiteTime "4:30"]\n[BlackTime "0:04:30"]\n1. 32-28 19-23 2-0'

    sheet = sheets_of(text)[0]

    assert (sheet.white_seconds, sheet.black_seconds) == (seconds, 270)


@pytest.mark.parametrize(
    ("moves", "variant"), [("1. 28-22 5-23", None), ("1. 28-24 11-15", "draughts-8x8"), ("", "draughts-8x8")]
)
def test_an_ending_within_squares_1_to_32_is_judged_where_its_moves_are_legal(
    moves: str, variant: str | None
) -> None:
    sheet = sheets_of(f'[FEN "W:W28,31:BK5,11"]\n{moves} *')[0]

    assert sheet.variant == variant
    assert variant or validate(sheet).plies == 2
