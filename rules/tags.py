"""What stands in square brackets: tags in any spelling, clock times, titles."""

from __future__ import annotations

import html
import re

NAMES: dict[str, str] = {
    name: standard
    for standard, spellings in {
        "Event": "event tournament titre dati evenement événement toernooi tournoi turnier torneo 赛事 比赛 赛会",
        "Site": "site place lieu plaats ort luogo 地点",
        "Date": "date anno datum data 日期",
        "Round": "round manche ronde runde tour turno 轮次 轮",
        "White": "white bianco blanc blancs wit weiss weiß 白方 白 执白 先手",
        "Black": "black nero noir noirs zwart schwarz 黑方 黑 执黑 后手",
        "Result": "result risultato resultat résultat uitslag ergebnis 结果 成绩",
        "WhiteTime": "whitetime whiteclock heureblanche wittijd 白方用时",
        "BlackTime": "blacktime blackclock heurenoire zwarttijd 黑方用时",
        "WhiteRating": "whiterating whiteelo",
        "BlackRating": "blackrating blackelo",
        "GameType": "gametype",
        "FEN": "fen",
        "Termination": "termination",
        "TimeControl": "timecontrol",
        "Variant": "variant",
        "Board": "board bord table 台次 台",
        "Annotator": "annotator",
        "PlyCount": "plycount",
        "Setup": "setup",
    }.items()
    for name in spellings.split()
} | {
    "type de jeu": "GameType",
    "heure blanche": "WhiteTime",
    "heure noire": "BlackTime",
    "évaluation blanche": "WhiteRating",
    "évaluation noire": "BlackRating",
}
"""The names that tags go by in files of different programs and languages, and the standard's name."""

_TAG = re.compile(r'\[\s*([^\W\d]\w*)\s*[:=]?\s*"((?:[^"\\\r\n]|\\[^\r\n])*)"\s*\]')
_SINGLE = re.compile(r"\[\s*([^\W\d]\w*)\s*[:=]?\s*'([^\r\n\]]*)'\s*\]")
_FOREIGN = re.compile(r'\[\s*([^\W\d][^"\[\]\r\n]{0,40}?|&[^"\[\]\r\n]{0,40}?)\s*"([^"\r\n]*)"\s*\]')
"""A name of several words, or with letters written as entities."""
_ENTITY = re.compile(
    r"\[\s*([^\W\d]\w*)\s*[:=]?\s*&(?:quot|#34|apos|#39|#x22);([^\r\n\]]*)&(?:quot|#34|apos|#39|#x22);\s*\]"
)
_BARE = re.compile(r'\[\s*([^\W\d]\w*)(?:\s*[:=]\s*|\s+)([^"\[\]\r\n]*?)\s*\]')
_BROKEN = re.compile(r'\[\s*([^\W\d]\w*)\s*"([^"\]\[\r\n]*)"?[ \t]*\]?')
_CLOCK = re.compile(
    r"\[\s*(?:%\s*(?:clk|emt|egt|ct|mct)\s*)?([0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?|[0-9]{1,3}\s*['′](?:[0-9]{1,2}\"?)?|[0-9]{1,3}\s*(?:min|m|s|分|秒))\s*\]"
)
_WORDS = re.compile(r"\[([^\[\]\r\n0-9]*)\]")
_ESCAPE = re.compile(r"\\([\"'\\])")

Bracket = tuple[str, str, str, str, int]
"""(kind of token, text, name of a tag, fault, where it ends)."""


def read_bracket(text: str, written: str, at: int) -> Bracket | None:
    """Read the bracket that opens at a place of the folded text; `None` when nothing is known that it could be."""
    match = _TAG.match(text, at)
    if match is not None:
        return "tag", _ESCAPE.sub(r"\1", _value(written, match)), match[1], "", match.end()
    for pattern in (_SINGLE, _ENTITY):
        match = pattern.match(text, at)
        if match is not None:
            return "tag", html.unescape(_value(written, match)), match[1], "", match.end()
    match = _CLOCK.match(text, at)
    if match is not None:
        return "clock", written[at : match.end()], "", "", match.end()
    match = _BARE.match(text, at)
    if match is not None and match[1].casefold() in NAMES:
        return "tag", html.unescape(_value(written, match)), match[1], "", match.end()
    match = _FOREIGN.match(text, at)
    if match is not None:
        name = " ".join(html.unescape(written[match.start(1) : match.end(1)]).split())
        return "tag", html.unescape(_value(written, match)), name, "", match.end()
    match = _BROKEN.match(text, at)
    if match is not None:
        return "tag", _value(written, match).strip(), match[1], "tag-unfinished", match.end()
    match = _WORDS.match(text, at)
    if match is not None:
        return "text", written[at : match.end()], "", "not-pdn", match.end()
    return None


def _value(written: str, match: re.Match[str]) -> str:
    return written[match.start(2) : match.end(2)]
