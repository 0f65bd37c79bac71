"""The pages of the desk: all of them in both languages, forms that keep what was typed, and what each may not do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from tests.permission_table import ADMINS, OWNERS, TOURNAMENTS_DESK, Who
from tests.tournaments import builders, desk_cast
from tests.tournaments.desk_cast import Cast, client_of, url
from tests.tournaments.test_desk_flow import text_of
from tournaments.models import ApiToken, AuditEntry, Entry, Event, Job, Role, Round, Section, User

pytestmark = pytest.mark.django_db

ONLY_POST = {
    "token", "event_show", "official_remove", "entry_remove", "entry_withdraw", "entry_return", "entry_absence", "entry_link",
    "absence_cancel", "pair", "bracket_repair", "publish_all", "adjust", "draft_change", "pair_allow", "result_undo", "round_start",
    "notice_withdraw", "relax", "entry_members", "registration_terms", "registration_answer", "absence_answer", "payment",
}  # fmt: skip
LEADS_ON = {"setup", "job", "draft"}  # to the log-in, to the draft, to the published round


@pytest.fixture
def cast() -> Cast:
    return desk_cast.cast()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_page_answers_in_both_languages(cast: Cast, language: str) -> None:
    arguments = desk_cast.arguments(cast)
    client = cast.client(Who.ORGANIZER, language=language)
    staff = cast.client(Who.ADMIN, language=language)
    found = {}
    for name in (row.removeprefix("desk:") for row in TOURNAMENTS_DESK):
        if name in ONLY_POST | LEADS_ON or TOURNAMENTS_DESK[f"desk:{name}"] == OWNERS:
            continue
        asked = staff if TOURNAMENTS_DESK[f"desk:{name}"] == ADMINS else client
        answer = asked.get(url(name, **arguments[name]))
        found[name] = (
            answer.status_code,
            f'lang="{"en" if language == "en" else "zh-Hans"}"' in answer.content.decode(errors="replace"),
        )

    fragments = {"result_changes", "result", "paper_file"}
    assert {name: state for name, state in found.items() if state != (200, name not in fragments)} == {}


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_a_draft_shows_scores_colours_and_warnings(cast: Cast, language: str) -> None:
    builders.play_round(cast.organizer, cast.section)
    draft = builders.draft(cast.organizer, cast.section)
    client = cast.client(Who.ARBITER, language=language)

    answer = client.get(url("draft", section_id=cast.section.pk, number=draft.number))

    assert answer.status_code == 200
    assert answer.content.decode().count("<tr>") >= 4


def test_pages_know_no_inline_script_or_style(cast: Cast) -> None:
    arguments = desk_cast.arguments(cast)
    client = cast.client(Who.ORGANIZER)
    for name in ("section", "results", "entry", "links", "section_settings", "print_slips"):
        page = client.get(url(name, **arguments[name])).content.decode()
        assert "<style" not in page
        assert "onclick" not in page
        assert all("src=" in tag for tag in page.split("<script")[1:])


def test_a_wrong_form_keeps_what_was_typed(cast: Cast) -> None:
    client = cast.client(Who.ORGANIZER)

    answer = client.post(url("entry_new", section_id=cast.section.pk), {"name": "新手", "rating": "9999"})

    assert answer.status_code == 400
    page = answer.content.decode()
    assert 'value="新手"' in page
    assert 'value="9999"' in page
    assert not Entry.objects.filter(player__name="新手").exists()


def test_an_event_code_that_is_taken_is_told_at_its_field(cast: Cast) -> None:
    client = cast.client(Who.ADMIN)
    client.post("/desk/events/new/", {"name": "One", "code": "same"})

    answer = client.post("/desk/events/new/", {"name": "Two", "code": "same"})

    assert answer.status_code == 400
    assert 'value="Two"' in answer.content.decode()
    assert Event.objects.filter(code="same").count() == 1


def section_form(section: Section, **changed: str) -> dict[str, str]:
    names = (
        "name", "name_en", "format", "rounds_total", "time_control", "numbering", "ranking", "initial_colour", "scheme",
        "preset", "withdrawal", "lateness_limit", "appeal_fee", "appeal_deadline", "protect_clubs_rounds", "code",
        "position",
    )  # fmt: skip
    form = {name: str(getattr(section, name)) for name in names}
    if section.refunds_withdrawn:
        form["refunds_withdrawn"] = "on"
    form |= {f"tiebreak_{place}": code for place, code in enumerate(section.tiebreaks)}
    return form | changed


def test_what_pairings_rest_on_is_frozen_once_a_round_is_paired(cast: Cast) -> None:
    builders.publish_next(cast.organizer, cast.section)
    client, address = cast.client(Who.ORGANIZER), url("section_settings", section_id=cast.section.pk)
    page = client.get(address).content.decode()
    assert page.count("Rounds are paired already: this can no longer be changed.") == 11

    answer = client.post(address, section_form(cast.section, scheme="XQ3", numbering="LOT", name="甲组"))

    assert answer.status_code == 302
    cast.section.refresh_from_db()
    assert (cast.section.scheme, cast.section.numbering, cast.section.name) == ("STD", "RATING", "甲组")


def test_another_order_of_tiebreaks_needs_a_reason_once_a_round_is_paired(cast: Cast) -> None:
    builders.publish_next(cast.organizer, cast.section)
    cast.section.refresh_from_db()
    client, address = cast.client(Who.ORGANIZER), url("section_settings", section_id=cast.section.pk)
    form = section_form(cast.section, tiebreak_0="WINS", tiebreak_1="SB", tiebreak_2="", tiebreak_3="")

    refused = client.post(address, form)
    assert refused.status_code == 400
    assert "give a reason for this change" in text_of(refused)

    done = client.post(address, form | {"reason": "as the regulations say"})
    assert done.status_code == 302, text_of(done)
    cast.section.refresh_from_db()
    assert cast.section.tiebreaks == ["WINS", "SB"]
    assert AuditEntry.objects.latest("pk").reason == "as the regulations say"


def test_another_preset_brings_its_order_unless_one_is_chosen(cast: Cast) -> None:
    client, address = cast.client(Who.ORGANIZER), url("section_settings", section_id=cast.section.pk)

    client.post(address, section_form(cast.section, preset="XIANGQI_2011"))
    cast.section.refresh_from_db()
    assert cast.section.tiebreaks == ["SOLKOFF", "WINS", "FOULS", "games_black", "PREVIOUS_ROUND"]

    client.post(address, section_form(cast.section, preset="CN_SWISS", tiebreak_0="SB"))
    cast.section.refresh_from_db()
    assert (cast.section.preset, cast.section.tiebreaks[0]) == ("CN_SWISS", "SB")


def test_the_treatment_of_byes_is_a_choice_of_the_section(cast: Cast) -> None:
    client, address = cast.client(Who.ORGANIZER), url("section_settings", section_id=cast.section.pk)

    client.post(
        address,
        section_form(cast.section, policy_bye_opponent_score="virtual", policy_forfeits_in_wins="True"),
    )

    cast.section.refresh_from_db()
    assert cast.section.policy == {"bye_opponent_score": "virtual", "forfeits_in_wins": True}


def test_a_list_with_bad_rows_enters_nothing_and_names_each(cast: Cast) -> None:
    client, section = cast.client(Who.ORGANIZER), cast.section
    content = "姓名,等级分\n张伟,1800\n,1900\n李娜,strong\n".encode()

    answer = client.post(
        url("import", section_id=section.pk),
        {"file": SimpleUploadedFile("list.csv", content), "repeats": "refuse"},
    )
    preview = answer.headers["Location"]
    text = text_of(client.get(preview))
    entered = client.post(preview, {"enter": "1"})

    assert "2 faults" in text
    assert "the name is missing" in text
    assert "strong" in text
    assert entered.status_code == 400
    assert section.entries.count() == 8


def test_columns_can_be_chosen_by_hand(cast: Cast) -> None:
    client, section = cast.client(Who.ORGANIZER), cast.section
    content = b"Zhang,Beijing,x1\nWang,Wuhan,x2\n"
    answer = client.post(
        url("import", section_id=section.pk),
        {"file": SimpleUploadedFile("list.csv", content), "repeats": "refuse"},
    )
    preview = answer.headers["Location"]
    first = client.get(preview)
    assert first.status_code == 400

    assert first.content.decode().count('name="column-') == 3

    chosen = {"column-0": "name", "was-0": "", "column-1": "club", "was-1": "", "column-2": "", "was-2": ""}
    client.post(preview, {"read": "1", "repeats": "refuse", "encoding": "utf-8", **chosen})
    assert "2 players can be entered" in text_of(client.get(preview))
    client.post(preview, {"enter": "1"})
    assert list(section.entries.filter(player__name="Zhang").values_list("player__club", flat=True)) == [
        "Beijing"
    ]


def test_a_held_file_can_be_thrown_away(cast: Cast) -> None:
    client = cast.client(Who.ORGANIZER)
    answer = client.post(
        url("import", section_id=cast.section.pk),
        {"file": SimpleUploadedFile("list.csv", desk_cast.LIST.encode()), "repeats": "refuse"},
    )
    preview = answer.headers["Location"]

    client.post(preview, {"drop": "1"})

    assert client.get(preview).status_code == 404
    assert cast.section.entries.count() == 8


def test_hand_changes_are_checked_logged_and_undone_by_pairing_again(cast: Cast) -> None:
    draft = builders.draft(cast.organizer, cast.section)
    client = cast.client(Who.CHIEF_ARBITER)
    seats = builders.seated(draft)
    section = Section.objects.get(pk=cast.section.pk)
    address = url("draft_change", section_id=section.pk, number=1, verb="swap")
    first, second = draft.pairings.order_by("board")[:2]
    form = {
        "first": first.white_id,
        "second": second.white_id,
        "version": section.version,
        "reason": "same school",
    }

    without_reason = client.post(address, form | {"reason": ""})
    stale = client.post(address, form | {"version": section.version - 1})
    done = client.post(address, form)

    assert (without_reason.status_code, stale.status_code, done.status_code) == (400, 409, 302)
    page = text_of(client.get(url("draft", section_id=section.pk, number=1)))
    assert "changed by hand" in page
    assert "same school" in page
    assert builders.seated(draft) == seats

    client.post(url("pair", section_id=section.pk), {"again": "1"})
    builders.work_all(section)
    draft.refresh_from_db()
    assert draft.edits == []


@pytest.mark.parametrize("verb", ["flip", "set", "bye"])
def test_other_hand_changes(verb: str) -> None:
    actor = builders.organizer()
    section = builders.section(actor, players=7, rounds_total=3)
    draft = builders.draft(actor, section)
    client = client_of(actor.user)
    section.refresh_from_db()
    first, second = draft.pairings.filter(board__gt=0).order_by("board")[:2]
    chosen: dict[str, Any] = {
        "flip": {"entry": first.white_id},
        "set": {"white": second.white_id, "black": first.black_id},
        "bye": {"entry": first.white_id},
    }[verb]

    answer = client.post(
        url("draft_change", section_id=section.pk, number=1, verb=verb),
        {**chosen, "version": section.version, "reason": "so ruled"},
    )

    assert answer.status_code == 302, text_of(answer)
    now = {(p.white_id, p.black_id) for p in draft.pairings.all()}
    wanted = {
        "flip": (first.black_id, first.white_id),
        "set": (second.white_id, first.black_id),
        "bye": (first.white_id, None),
    }[verb]
    assert wanted in now
    assert len(builders.seated(draft)) == 7


def test_taking_a_round_back_needs_a_reason_and_no_result(cast: Cast) -> None:
    round_ = builders.publish_next(cast.organizer, cast.section)
    client, address = cast.client(Who.CHIEF_ARBITER), url("unpublish", section_id=cast.section.pk, number=1)

    assert client.post(address, {"reason": ""}).status_code == 400
    assert client.post(address, {"reason": "wrong list"}).status_code == 302
    round_.refresh_from_db()
    assert round_.state == Round.State.PAIRED

    client.post(url("publish", section_id=cast.section.pk, number=1))
    builders.enter_all(cast.organizer, round_)
    late = client.post(address, {"reason": "wrong list"})
    assert late.status_code == 409
    assert "Results are in already" in text_of(late)


def test_a_section_with_missing_results_does_not_close_and_says_which(cast: Cast) -> None:
    builders.publish_next(cast.organizer, cast.section)
    client, address = cast.client(Who.ORGANIZER), url("section_close", section_id=cast.section.pk)

    assert "Round 1, board 4" in text_of(client.get(address))
    answer = client.post(address)

    assert answer.status_code == 409
    cast.section.refresh_from_db()
    assert cast.section.state == Section.State.RUNNING


def test_officials_are_named_with_a_first_password_and_the_last_organizer_stays(cast: Cast) -> None:
    client, address = cast.client(Who.ORGANIZER), url("officials", event_id=cast.event.pk)

    unknown = client.post(address, {"username": "wang", "kind": "ARBITER"})
    assert unknown.status_code == 400
    assert "Give a first password" in text_of(unknown)

    client.post(
        address, {"username": "wang", "kind": "ARBITER", "password": "long-enough-77", "full_name": "王"}
    )
    assert Role.objects.filter(event=cast.event, user__username="wang", kind="ARBITER").exists()
    assert User.objects.get(username="wang").check_password("long-enough-77")

    own = Role.objects.get(event=cast.event, kind=Role.Kind.ORGANIZER)
    kept = client.post(url("official_remove", role_id=own.pk))
    assert kept.status_code == 409
    assert Role.objects.filter(pk=own.pk).exists()


def test_late_entry_absence_withdrawal_and_return(cast: Cast) -> None:
    builders.play_round(cast.organizer, cast.section)
    client = cast.client(Who.CHIEF_ARBITER)
    client.post(url("entry_new", section_id=cast.section.pk), {"name": "迟到者", "rating": "2000"})
    late = Entry.objects.get(player__name="迟到者")
    assert late.first_round == 2

    client.post(url("entry_absence", entry_id=late.pk), {"round_number": "2", "kind": "HALF_BYE"})
    assert [(a.round_number, a.kind) for a in late.absences.all()] == [(2, "HALF_BYE")]
    absence = late.absences.get()
    client.post(url("absence_cancel", absence_id=absence.pk))
    assert not late.absences.exists()

    too_early = client.post(url("entry_absence", entry_id=late.pk), {"round_number": "1", "kind": "ZERO_BYE"})
    assert too_early.status_code == 409

    client.post(url("entry_withdraw", entry_id=late.pk), {"after_round": "1", "reason": "ill"})
    late.refresh_from_db()
    assert (late.status, late.withdrawn_after_round) == ("WITHDRAWN", 1)
    client.post(url("entry_return", entry_id=late.pk), {"reason": "well again"})
    late.refresh_from_db()
    assert (late.status, late.withdrawn_after_round) == ("ACTIVE", None)


def test_rulings_on_points_are_the_chief_arbiters(cast: Cast) -> None:
    builders.play_round(cast.organizer, cast.section)
    entry = builders.entry_list(cast.section)[0]
    form = {"entry": entry.pk, "points": "-1", "after_round": "1", "reason": "14.2.3"}

    refused = cast.client(Who.ORGANIZER).post(url("adjust", section_id=cast.section.pk), form)
    done = cast.client(Who.CHIEF_ARBITER).post(url("adjust", section_id=cast.section.pk), form)

    assert (refused.status_code, done.status_code) == (403, 302)
    assert [(a.points, a.reason) for a in cast.section.adjustments.all()] == [(-1, "14.2.3")]


def test_destructive_acts_ask_to_type(cast: Cast) -> None:
    client = cast.client(Who.ORGANIZER)
    address = url("section_delete", section_id=cast.section.pk)

    refused = client.post(address, {"word": "delete"})
    assert refused.status_code == 400
    assert Section.objects.filter(pk=cast.section.pk).exists()
    assert "8 players of its list are lost." in text_of(refused)

    client.post(address, {"word": "DELETE"})
    assert not Section.objects.filter(pk=cast.section.pk).exists()


def test_the_log_filters_and_shows_before_and_after(cast: Cast) -> None:
    client = cast.client(Who.ORGANIZER)
    client.post(url("event_settings", event_id=cast.event.pk), {"name": "新名称", "code": cast.event.code})
    address = url("log", event_id=cast.event.pk)

    text = text_of(client.get(address, {"action": "edit-event"}))

    assert "岳阳公开赛" in text and "新名称" in text
    assert "player entered" not in text.split("Reason", 1)[1]


def test_a_key_for_programs_is_shown_once_and_can_be_revoked(cast: Cast) -> None:
    client = cast.client(Who.ARBITER)

    made = text_of(client.post("/desk/account/token/", {"name": "scanner", "scope": "READ", "days": "7"}))
    assert "Copy the key now" in made
    assert "Copy the key now" not in text_of(client.get("/desk/account/"))

    number = ApiToken.objects.get().pk
    client.post("/desk/account/token/", {"revoke": number})
    assert client.post("/desk/account/token/", {"revoke": number}).status_code == 404


def test_the_language_of_the_account_follows_the_log_in(cast: Cast) -> None:
    client = cast.client(Who.ARBITER, language="en")
    client.post("/desk/account/", {"language": "zh-hans"})
    assert 'lang="zh-Hans"' in client.get("/desk/").content.decode()

    fresh = cast.client(Who.ARBITER, language="en")
    assert 'lang="zh-Hans"' in fresh.get("/desk/", follow=True).content.decode()


def test_an_unpublished_round_start_is_set_for_the_public(cast: Cast) -> None:
    client = cast.client(Who.CHIEF_ARBITER)

    client.post(url("round_start", section_id=cast.section.pk, number=2), {"starts_at": "2026-12-01T14:00"})
    wrong = client.post(url("round_start", section_id=cast.section.pk, number=2), {"starts_at": "soon"})

    assert f"{Round.objects.get(section=cast.section, number=2).starts_at:%F %H:%M}" == "2026-12-01 06:00"
    assert wrong.status_code == 400
    assert 'value="soon"' in wrong.content.decode()


def test_pressing_pair_twice_asks_once(cast: Cast) -> None:
    client, address = cast.client(Who.ARBITER), url("pair", section_id=cast.section.pk)

    places = {client.post(address).headers["Location"] for _press in range(2)}

    assert len(places) == 1
    assert Job.objects.filter(section=cast.section, kind="PAIR").count() == 1


def test_a_round_with_missing_results_is_not_followed_and_the_page_says_why(cast: Cast) -> None:
    builders.publish_next(cast.organizer, cast.section)

    answer = cast.client(Who.ARBITER).post(url("pair", section_id=cast.section.pk))

    assert answer.status_code == 409
    assert "Results are missing on 4 boards." in text_of(answer)


def test_a_personal_link_can_be_made_anew(cast: Cast) -> None:
    entry = builders.entry_list(cast.section)[0]
    client = cast.client(Who.CHIEF_ARBITER)
    assert entry.link in client.get(url("entry", entry_id=entry.pk)).content.decode()
    assert entry.link not in cast.client(Who.ARBITER).get(url("entry", entry_id=entry.pk)).content.decode()

    client.post(url("entry_link", entry_id=entry.pk))

    renewed = Entry.objects.get(pk=entry.pk).link
    assert renewed != entry.link
    assert renewed not in str(list(AuditEntry.objects.values_list("before", "after")))


def test_a_job_that_nobody_takes_up_says_so(cast: Cast) -> None:
    client = cast.client(Who.ARBITER)
    page = client.post(url("pair", section_id=cast.section.pk)).headers["Location"]
    assert "No worker has taken this up" not in text_of(client.get(page))

    Job.objects.filter(section=cast.section).update(created_at=timezone.now() - timedelta(minutes=5))

    assert "No worker has taken this up" in text_of(client.get(page))


def test_the_list_shows_the_numbers_to_come_unless_the_lot_decides(cast: Cast) -> None:
    client, address = cast.client(Who.ARBITER), url("entries", section_id=cast.section.pk)
    builders.entries.add_entry(cast.organizer, cast.section.pk, {"name": "Strongest", "rating": 2500})

    rows = client.get(address).content.decode().split("<tr>")
    assert "(1)" in rows[2] and "Strongest" in rows[2]

    Section.objects.filter(pk=cast.section.pk).update(numbering=Section.Numbering.LOT)
    page = text_of(client.get(address))
    assert "(1)" not in page
    assert "The lot is drawn when round 1 is paired." in page


@pytest.mark.parametrize(
    "address",
    [
        "/desk/events/99999999999999999999999/",
        "/desk/sections/99999999999999999999999/",
        "/desk/jobs/99999999999999999999999/",
        "/desk/entries/0/",
    ],
)
def test_keys_of_nothing_find_nothing(cast: Cast, address: str) -> None:
    assert cast.client(Who.ORGANIZER).get(address).status_code == 404


def test_odd_questions_to_pages_do_no_harm(cast: Cast) -> None:
    client, section = cast.client(Who.ORGANIZER), cast.section
    for address, status in {
        url("log", event_id=cast.event.pk) + "?page=x&action=nothing&id=9999999999999999999999": 200,
        url("standings", section_id=section.pk) + "?round=99999999999999999999": 200,
        url("round", section_id=section.pk, number=3): 200,
        url("round", section_id=section.pk, number=4): 404,
        url("round", section_id=section.pk, number=99999999999999999999): 404,
        url("draft", section_id=section.pk, number=1): 404,
        url("draft_change", section_id=section.pk, number=1, verb="shuffle"): 405,
    }.items():
        assert client.get(address).status_code == status, address
