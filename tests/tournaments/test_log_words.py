"""The log says everything in words: no code, key or number of the database reaches its reader."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from django.utils import translation

from tests.tournaments import builders as b
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.models import AuditEntry
from tournaments.selectors import log_lines
from tournaments.wording.values import FIELDS, HIDDEN, field_words

ROOT = Path(__file__).resolve().parents[2]
SERVICES = [*ROOT.glob("tournaments/services/**/*.py"), *ROOT.glob("games/services/**/*.py")]
LANGUAGES = ("en", "zh-hans")


def keys_logged() -> set[str]:
    """The names of values that the services write into the log, as their source has them."""
    found: set[str] = set()
    for path in SERVICES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.keyword)
                and node.arg in {"before", "after"}
                and isinstance(node.value, ast.Dict)
            ):
                found |= {str(key.value) for key in node.value.keys if isinstance(key, ast.Constant)}
    return found


@pytest.mark.parametrize("action", AuditAction)
def test_every_action_has_words_in_both_languages(action: AuditAction) -> None:
    with translation.override("en"):
        english = str(action.label)
    with translation.override("zh-hans"):
        chinese = str(action.label)

    assert re.search("[一-鿿]", chinese)
    assert english != action.value


def test_every_name_of_a_value_has_words_in_both_languages() -> None:
    names = keys_logged() - HIDDEN

    assert len(names) > 40
    assert (
        sorted(
            names - FIELDS.keys() - {name for name in names if field_words(name) != name.replace("_", " ")}
        )
        == []
    )
    with translation.override("zh-hans"):
        assert sorted(name for name in names if not re.search("[一-鿿]|FEN", field_words(name))) == []


def test_services_log_actions_of_the_enum_only() -> None:
    written = [
        f"{path.name}:{node.value.lineno}"
        for path in SERVICES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.keyword) and node.arg == "action" and isinstance(node.value, ast.Constant)
    ]

    assert written == []


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_objects_and_players_are_named(language: str) -> None:
    organizer = b.organizer()
    section = b.section(organizer, players=2)
    round_ = b.publish_next(organizer, section)
    board = round_.pairings.get(board=1)
    audit.record(
        actor=Actor(), action=AuditAction.RECORD_GAMES, section=section, subject=board,
        before={"entries": [board.white_id, 999_999]}, after={"games": [[1, "WHITE", ""]], "scheme": "STD", "digest": "ab"},
    )  # fmt: skip

    with translation.override(language):
        line = log_lines.lines(AuditEntry.objects.order_by("-pk")[:1])[0]

    text = " ".join(
        [line.who, line.action, line.subject, *(part for item in line.before + line.after for part in item)]
    )
    assert str(board.white) in line.subject and str(board.white) in text
    assert not re.search(r"WHITE|STD|999999|\[\[|ab\b|record-games|#\d", text)
    assert line.who in {"by personal link", "凭个人链接"}


@pytest.mark.django_db
def test_the_lines_of_a_page_take_a_fixed_number_of_queries(django_assert_max_num_queries) -> None:
    organizer = b.organizer()
    section = b.section(organizer, players=6)
    b.publish_next(organizer, section)

    with django_assert_max_num_queries(8):
        assert len(log_lines.lines(AuditEntry.objects.select_related("section")[:50])) > 6
