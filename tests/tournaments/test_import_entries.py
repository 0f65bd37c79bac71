"""Entering a list: everything or nothing, by those who may, with the log telling of it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.entry_lists import enter_list
from tests.tournaments import builders
from tournaments.audit import Actor
from tournaments.encodings import Encoding
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.importers.columns import Field
from tournaments.importers.entry_list import Repeats
from tournaments.models import (
    AuditEntry,
    Entry,
    Event,
    ImportDraft,
    Pairing,
    Player,
    Role,
    Round,
    Section,
    User,
)
from tournaments.services.entry_import import (
    Options,
    choose_options,
    drop_entries_file,
    hold_entries,
    import_entries,
    look_at_entries,
)

pytestmark = pytest.mark.django_db

LIST = "序号,姓名,单位,等级分\n1,欧阳娜娜,北京,1500\n2,李伟,上海,1400\n".encode()


@pytest.fixture
def section() -> Section:
    return Section.objects.create(event=Event.objects.create(name="公开赛"), code="a", name="甲组")


def member(section: Section, kind: Role.Kind, name: str = "someone") -> Actor:
    user = User.objects.create_user(username=f"{name}-{kind.lower()}")
    Role.objects.create(event=section.event, user=user, kind=kind)
    return Actor(user=user)


@pytest.fixture
def organizer(section: Section) -> Actor:
    return member(section, Role.Kind.ORGANIZER)


def test_a_preview_enters_nothing(section: Section, organizer: Actor) -> None:
    draft = hold_entries(organizer, section.pk, filename="名单.csv", content=LIST)

    preview = look_at_entries(organizer, draft.pk)

    assert [row.name for row in preview.rows] == ["欧阳娜娜", "李伟"]
    assert preview.encoding is Encoding.UTF_8
    assert (Player.objects.count(), Entry.objects.count(), AuditEntry.objects.count()) == (0, 0, 0)
    section.refresh_from_db()
    assert section.version == 0


def test_a_yes_enters_every_row_with_its_search_keys(section: Section, organizer: Actor) -> None:
    draft = hold_entries(organizer, section.pk, filename="名单.csv", content=LIST)

    imported = import_entries(organizer, section.pk, draft.pk)

    assert [str(entry) for entry in imported.entries] == ["欧阳娜娜", "李伟"]
    player = Player.objects.get(name="欧阳娜娜")
    assert (player.family_name, player.latin_name, player.club, player.rating) == (
        "欧阳",
        "Ouyang Nana",
        "北京",
        1500,
    )
    assert "ouyangnana" in player.search_keys.split()
    assert list(
        section.entries.order_by("seed_number").values_list("seed_number", "first_round", "number")
    ) == [
        (1, 1, None),
        (2, 1, None),
    ]
    section.refresh_from_db()
    assert (section.version, section.public_version) == (1, 1)
    assert not ImportDraft.objects.exists()


def test_the_log_tells_who_entered_which_file(section: Section, organizer: Actor) -> None:
    imported = enter_list(organizer, section.pk, filename="名单.csv", content=LIST)

    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor_id, entry.section_id) == (
        "import-entries",
        organizer.user.pk,
        section.pk,
    )
    assert entry.after["file"] == "名单.csv"
    assert entry.after["entered"] == [[e.pk, e.player.name] for e in imported.entries]


def test_one_bad_row_keeps_every_row_out(section: Section, organizer: Actor) -> None:
    content = LIST + "3,王芳,广州,强\n4,,广州,1200\n".encode()

    with pytest.raises(BadInput) as caught:
        enter_list(organizer, section.pk, filename="x.csv", content=content)

    assert caught.value.code == "bad-rows"
    assert set(caught.value.values["rows"]) == {4, 5}
    assert "等级分" in caught.value.values["rows"][4][0]
    assert (Player.objects.count(), Entry.objects.count(), ImportDraft.objects.count()) == (0, 0, 0)


def test_entering_the_same_file_again_is_refused_or_skips_them(section: Section, organizer: Actor) -> None:
    enter_list(organizer, section.pk, filename="x.csv", content=LIST)
    longer = LIST + "3,王芳,广州,1300\n".encode()

    with pytest.raises(BadInput) as caught:
        enter_list(organizer, section.pk, filename="x.csv", content=longer)
    imported = enter_list(
        organizer, section.pk, filename="x.csv", content=longer, options=Options(repeats=Repeats.SKIP)
    )

    assert set(caught.value.values["rows"]) == {2, 3}
    assert ([str(e) for e in imported.entries], imported.skipped) == (["王芳"], (2, 3))
    assert section.entries.count() == 3


def test_who_was_entered_since_the_preview_is_found(section: Section, organizer: Actor) -> None:
    draft = hold_entries(organizer, section.pk, filename="x.csv", content=LIST)
    assert look_at_entries(organizer, draft.pk).is_ready
    Entry.objects.create(
        section=section, player=Player.objects.create(event=section.event, name="李 伟", club="上海")
    )

    with pytest.raises(BadInput) as caught:
        import_entries(organizer, section.pk, draft.pk)

    assert set(caught.value.values["rows"]) == {3}
    assert section.entries.count() == 1


def test_a_player_of_another_section_is_entered_as_the_same_person(
    section: Section, organizer: Actor
) -> None:
    other = Section.objects.create(event=section.event, code="b", name="快棋")
    player = Player.objects.create(event=section.event, name="李伟", club="上海", rating=1450)
    Entry.objects.create(section=other, player=player)

    enter_list(
        organizer, section.pk, filename="x.csv", content="姓名,单位,等级分,性别\n李伟,上海,1400,男\n".encode()
    )

    player.refresh_from_db()
    assert Player.objects.count() == 1
    assert (player.rating, player.sex, player.entries.count()) == (1450, "m", 2)


def test_choices_are_kept_with_the_held_file(section: Section, organizer: Actor) -> None:
    content = "张伟,2010\n李娜,2012\n".encode("gb18030")
    draft = hold_entries(organizer, section.pk, filename="x.csv", content=content)
    with pytest.raises(BadInput):
        look_at_entries(organizer, draft.pk)

    choose_options(
        organizer,
        draft.pk,
        Options(encoding=Encoding.GB18030, columns={0: Field.NAME, 1: Field.BIRTH_YEAR}),
    )
    import_entries(organizer, section.pk, draft.pk)

    assert list(Player.objects.order_by("birth_year").values_list("name", "birth_year")) == [
        ("张伟", 2010),
        ("李娜", 2012),
    ]


def test_a_choice_that_does_not_exist_is_refused() -> None:
    for values in (
        {"encoding": "latin-1"},
        {"repeats": "maybe"},
        {"columns": {"0": "points"}},
        {"columns": {"x": "name"}},
    ):
        with pytest.raises(BadInput):
            Options.from_json(values)


def test_a_held_file_can_be_thrown_away(section: Section, organizer: Actor) -> None:
    draft = hold_entries(organizer, section.pk, filename="x.csv", content=LIST)

    drop_entries_file(organizer, draft.pk)

    assert not ImportDraft.objects.exists()


@pytest.mark.parametrize(
    ("kind", "error"),
    [(Role.Kind.ARBITER, NotAllowed), (Role.Kind.COMMITTEE, NotFound), (Role.Kind.PLAYER, NotFound)],
)
def test_only_those_who_edit_entries_may(section: Section, kind: Role.Kind, error: type[Exception]) -> None:
    with pytest.raises(error):
        enter_list(member(section, kind), section.pk, filename="x.csv", content=LIST)

    assert (Player.objects.count(), ImportDraft.objects.count()) == (0, 0)


def test_a_stranger_finds_nothing(section: Section, organizer: Actor) -> None:
    elsewhere = Section.objects.create(event=Event.objects.create(name="别的"), code="a", name="甲")
    stranger = member(elsewhere, Role.Kind.ORGANIZER, "stranger")
    draft = hold_entries(organizer, section.pk, filename="x.csv", content=LIST)

    for attempt in (
        lambda: enter_list(stranger, section.pk, filename="x.csv", content=LIST),
        lambda: import_entries(stranger, section.pk, draft.pk),
        lambda: import_entries(stranger, elsewhere.pk, draft.pk),
        lambda: look_at_entries(stranger, draft.pk),
        lambda: drop_entries_file(stranger, draft.pk),
    ):
        with pytest.raises(NotFound):
            attempt()

    assert (Player.objects.count(), ImportDraft.objects.count()) == (0, 1)


def test_a_held_file_belongs_to_who_uploaded_it(section: Section, organizer: Actor) -> None:
    draft = hold_entries(organizer, section.pk, filename="x.csv", content=LIST)

    with pytest.raises(NotFound):
        look_at_entries(member(section, Role.Kind.CHIEF_ARBITER), draft.pk)


def test_a_closed_section_takes_no_entries(section: Section, organizer: Actor) -> None:
    Section.objects.filter(pk=section.pk).update(state=Section.State.CLOSED)

    with pytest.raises(WrongState):
        enter_list(organizer, section.pk, filename="x.csv", content=LIST)

    assert Player.objects.count() == 0


def test_a_list_after_round_one_makes_late_entries_with_numbers(section: Section, organizer: Actor) -> None:
    players = [
        Player.objects.create(event=section.event, name=name, rating=1450) for name in ("甲子", "乙丑")
    ]
    first, second = (
        Entry.objects.create(section=section, player=player, number=number)
        for number, player in enumerate(players, start=1)
    )
    round_ = Round.objects.create(section=section, number=1, state=Round.State.PUBLISHED)
    Pairing.objects.create(round=round_, board=1, white=first, black=second)

    enter_list(organizer, section.pk, filename="x.csv", content=LIST)

    assert list(section.entries.order_by("number").values_list("player__name", "number", "first_round")) == [
        ("欧阳娜娜", 1, 2), ("乙丑", 2, 1), ("甲子", 3, 1), ("李伟", 4, 2),
    ]  # fmt: skip


def test_the_number_of_queries_does_not_grow_with_the_list(section: Section, organizer: Actor) -> None:
    def queries(first: int, last: int) -> int:
        rows = "".join(f"棋手{n},{1000 + n}\n" for n in range(first, last))
        with CaptureQueriesContext(connection) as captured:
            enter_list(organizer, section.pk, filename="x.csv", content=f"姓名,等级分\n{rows}".encode())
        return len(captured)

    assert queries(0, 5) == queries(5, 305)
    assert section.entries.count() == 305


@pytest.mark.parametrize("numbering", [Section.Numbering.RATING, Section.Numbering.SEED])
def test_a_list_of_late_entries_takes_no_more_queries_than_one(
    section: Section, organizer: Actor, numbering: str
) -> None:
    Section.objects.filter(pk=section.pk).update(numbering=numbering)
    first, second = (
        Entry.objects.create(
            section=section, player=Player.objects.create(event=section.event, name=name), number=number
        )
        for number, name in enumerate(("甲子", "乙丑"), start=1)
    )
    round_ = Round.objects.create(section=section, number=1, state=Round.State.PUBLISHED)
    Pairing.objects.create(round=round_, board=1, white=first, black=second)

    counts = []
    for start, rows in ((0, 1), (1, 40)):
        content = "".join(f"棋手{n}\n" for n in range(start, start + rows))
        with CaptureQueriesContext(connection) as captured:
            enter_list(organizer, section.pk, filename="x.csv", content=f"姓名\n{content}".encode())
        counts.append(len(captured))
        builders.work_all(section)

    assert counts[0] == counts[1]
    assert sorted(section.entries.values_list("number", flat=True)) == list(range(1, 44))
    if numbering == Section.Numbering.SEED:
        assert section.entries.get(number=4).player.name == "棋手1"
