"""Lines of a scoresheet that are no moves: titles, names, telephone numbers, column heads, times and signatures.

A line is taken for prose only where no move can hide in it: above the game it counts from "1.", or it holds nothing like a
move, or it begins with a label known from such sheets. Anything else is left to be read word by word.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rules.notation import SIGN, SQUARE_DIGIT
from rules.signs import fold

_WHITE = "white|whites|w|白方|白棋|执白|白|先手|wit|blancs|blanc|weiß|weiss|blancas|blanco|bianco|bianchi|белые|białe|biale"
_BLACK = "black|blacks|b|黑方|黑棋|执黑|黑|后手|zwart|noirs|noir|schwarz|negras|negro|nero|neri|чёрные|черные|czarne"
_LABELS = (
    "event|tournament|competition|round|date|place|site|venue|result|score|board|table|game|match|player|name|club|team|rating|"
    "elo|title|arbiter|referee|signature|signed|time|clock|tempo|control|phone|tel|telephone|mobile|fax|e-mail|email|mail|address|"
    "page|sheet|opening|no|nr|number|category|section|group|year|born|federation|country|"
    "赛事|比赛|赛区|轮次|轮|第|日期|时间|地点|结果|成绩|比分|台次|台号|台|组别|组|姓名|单位|代表队|等级分|称号|裁判|裁判员|裁判长|签名|签字|"
    "电话|手机|用时|时限|棋钟|编号|页|联系|备注|备考|记录|对局|回合|选手|棋手|运动员|得分|"
    "toernooi|ronde|datum|plaats|uitslag|bord|partij|speler|naam|vereniging|klub|arbiter|scheidsrechter|handtekening|tijd|tel|"
    "bedenktijd|telefoon|blad|klasse|"
    "tournoi|championnat|compétition|partie|tour|lieu|résultat|resultat|table|damier|joueur|nom|équipe|equipe|arbitre|"
    "signature|temps|pendule|cadence|téléphone|telephone|feuille|classement|titre|heure|manche|"
    "turnier|runde|ort|ergebnis|brett|spieler|verein|schiedsrichter|unterschrift|zeit|"
    "турнир|тур|дата|место|результат|доска|судья|подпись|время|фамилия|игрок|партия|"
    "torneo|turno|luogo|risultato|giocatore|arbitro|firma|tempo|turniej|runda|miejsce|wynik|zawodnik|sędzia|podpis|czas"
)
_LABEL = re.compile(
    rf"\W*(?:{fold(_LABELS)}|{fold(_WHITE)}|{fold(_BLACK)})(?:(?<=[^\x00-\x7f])|\b)", re.IGNORECASE
)
_SIDE = rf"(?P<white>{fold(_WHITE)})|(?P<black>{fold(_BLACK)})"
_SIDE_LABEL = re.compile(rf"\W*(?:{_SIDE})(?:(?<=[^\x00-\x7f])|\b)[^\w\n]*", re.IGNORECASE)
_TWO_SQUARES = rf"{SQUARE_DIGIT}{{1,2}}\s?[-~x:>*\u5403\u5230\u4e00/.,]{{1,2}}\s?{SQUARE_DIGIT}{{1,2}}"
_MOVE_LIKE = re.compile(rf"(?<![\w:./-])(?=\S{{0,12}}[0-9]){_TWO_SQUARES}(?![\w:]|[-./][0-9])", re.IGNORECASE)
_TWO = re.compile(_TWO_SQUARES, re.IGNORECASE)
_DATE = re.compile(r"\s*(?:[0-9]{4}[-./年][0-9]{1,2}|[0-9]{1,2}[-./][0-9]{1,2}[-./][0-9]{2,4})")
_RULE = re.compile(r"[\s|+:=_-]*(?:[-=_]{2,}\s*[|+]|[-=_]{6,})[\s|+:=_-]*")
"""A line drawn between the rows of a table."""
_NO_MOVE = re.compile(
    r"[0-9]{4}[-./年][0-9]{1,2}[-./月][0-9]{1,2}|[0-9]{1,2}[-./][0-9]{1,2}[-./][0-9]{2,4}"
    r"|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|[012]\s?[-:]\s?[012]|[0-9]{5,}|[0-9]{3,4}[- ][0-9]{4,}|[0-9]{1,3}\s?['+%]"
)
"""Dates, times, results, telephone numbers, minutes: digits and signs that are no move in a title."""
_PLAIN_LINE = re.compile(r"[0-9xX\s\-.:!?(){}*$%+=;,/\[\]\"'~|_>]*")
_BODY = re.compile(
    rf"\s*(?:\u7b2c[0-9]{{1,3}}(?:回合|着|手|步)\s?)?(?:\(?[0-9]{{1,3}}\)?\s?[.)\u3001:|,]?\s*)?(?:[白黑][方棋]?:?\s?)?(?=\S{{0,12}}[0-9])(?:{_TWO_SQUARES}|[0-9]{{1,2}}\s?{SIGN}\s?[0-9]{{1,2}}(?![\w])|[0-9]{{3,4}}(?![0-9])|[0-9]{{1,2}}\s[0-9]{{1,2}}(?![0-9]))",
    re.IGNORECASE,
)
_FIRST = r"0?1\s?(?:[.)\u3001]|:(?=\s))\s?(?:\.+\s?)?(?=[0-9lIO]{1,2}\s?[^\w\s]|[0-9]{1,2}[^\W\d]|[0-9]{1,2}\s[0-9]|[0-9]{3,4}\s)"
_FIRST_IN_LINE = re.compile(rf"(?<![0-9.:-]){_FIRST}")
NUMBERED_START = re.compile(rf"^[^\S\n]*\(?{_FIRST}", re.MULTILINE)
"""A line on which a game begins with its first move number."""
_ALGEBRAIC = re.compile(r"(?<!\w)[a-jA-J](?:10|[1-9])\s?[-x:]?\s?[a-jA-J](?:10|[1-9])(?!\w)")
_DIGITS = re.compile(r"[0-9]")
_LETTERS_FOR_DIGITS = re.compile(r"(?<!\w)[lIiOoQ]{1,2}\s?[-x:>]\s?[lIiOoQ]{1,2}(?!\w)")
_NUMERALS = re.compile(
    r"[一二三四五六七八九十〇零]+[^\w\s一]?[到吃至-]?[一二三四五六七八九十〇零]{1,3}(?!\w)"
)
_TIME = r"(?P<{0}>[0-9]{{1,2}}[:.][0-9]{{2}}(?:[:.][0-9]{{2}})?)"
_TIMES_USED = {
    side: re.compile(rf"(?:(?<=\W)|^)(?:{fold(names)})\W{{0,3}}" + _TIME.format("time"), re.IGNORECASE)
    for side, names in (("white", _WHITE), ("black", _BLACK))
}
_RESULT = re.compile(
    r"(?:result|score|结果|成绩|比分|uitslag|r[ée]sultat|ergebnis|результат|risultato|wynik)\W{0,3}"
    r"(?P<result>[012]\s?[-:]\s?[012](?![0-9])F?|1/2\s?-\s?1/2|[白黑]方?胜|和棋?)",
    re.IGNORECASE,
)


def prose_length(line: str, *, playing: bool, numbered_later: Callable[[], bool]) -> int:
    """How many characters of a folded line, from its beginning, are prose; 0 when it is to be read as moves.

    `playing`: moves of the game came before it. `numbered_later` says whether a later line begins with move number 1.
    """
    if _RULE.fullmatch(line):
        return len(line)
    if _PLAIN_LINE.fullmatch(line) or not any(map(str.isalpha, line)) or _ALGEBRAIC.search(line):
        return 0
    if playing:
        return _prose_among_moves(line)
    first = _FIRST_IN_LINE.search(line)
    if first is not None:
        return first.start()
    if numbered_later():
        return len(line)
    if _BODY.match(line) and not _DATE.match(line):
        return 0
    side = _SIDE_LABEL.match(line)
    if side is not None and _TWO.match(line, side.end()):
        return side.end()
    likes = _MOVE_LIKE.search(_NO_MOVE.sub(" ", line))
    return 0 if likes and not _LABEL.match(line) else len(line)


def _prose_among_moves(line: str) -> int:
    if _BODY.match(line):
        return 0
    side = _SIDE_LABEL.match(line)
    if side is not None and _TWO.match(line, side.end()):
        return side.end()
    if _LETTERS_FOR_DIGITS.search(line) or _NUMERALS.search(line):
        return 0
    if not _DIGITS.search(line):
        return len(line)
    return len(line) if _LABEL.match(line) and not _MOVE_LIKE.search(_NO_MOVE.sub(" ", line)) else 0


def may_hide_move(text: str) -> bool:
    """Whether something in folded text could be a move: two squares with a sign, in digits or what looks like them."""
    bare = _NO_MOVE.sub(" ", text)
    return bool(_MOVE_LIKE.search(bare) or _LETTERS_FOR_DIGITS.search(bare) or _NUMERALS.search(bare))


def is_words(text: str) -> bool:
    """Whether folded text is words alone, in which no move can hide."""
    return not _DIGITS.search(text) and not _LETTERS_FOR_DIGITS.search(text) and not _NUMERALS.search(text)


def times_in(text: str) -> dict[str, str]:
    """The times used that a line of prose gives, by `white` and `black`, as written."""
    found = {side: pattern.search(fold(text)) for side, pattern in _TIMES_USED.items()}
    return {side: match["time"] for side, match in found.items() if match is not None}


def result_in(text: str) -> str | None:
    """The result that a line of prose declares, as written."""
    match = _RESULT.search(fold(text))
    return match["result"] if match is not None else None
