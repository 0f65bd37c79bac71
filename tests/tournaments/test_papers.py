"""Papers, asked for at the desk, printed by the job and read back from their PDF."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.exports import papers
from tournaments.exports.papers.words import Words
from tournaments.models import Event, Job, Paper, Role, Section, TeamMember
from tournaments.services import papers as services

pytestmark = pytest.mark.django_db

HALL = "http://192.168.1.20:8000"
OF_A_ROUND = ("BOARDS", "NAMES", "SLIPS", "TENTS")
reads_pdf = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext reads the PDF back")


@pytest.fixture
def section() -> Section:
    """Thirteen players, three rounds played, the third with a bye."""
    made = f.make_section(f.make_event(name="岳阳杯国际跳棋公开赛", name_en="Yueyang Cup", place="岳阳"))
    f.play_rounds(made, f.make_entries(made, 13), 3)
    f.make_role(f.make_user("wang", first_name="王伟"), made.event, Role.Kind.CHIEF_ARBITER)
    return made


def organizer_of(event: Event) -> Any:
    return b.with_role(event, Role.Kind.ORGANIZER)


def printed(section: Section, kind: str, *, number: int | None = None, **more: Any) -> Paper:
    """The paper, asked for and worked off as a worker does."""
    paper = services.order_paper(
        organizer_of(section.event), section.event_id, kind=kind, section_id=section.pk, round_number=number,
        **{"address": HALL, **more},
    )  # fmt: skip
    job = b.run(paper.job)
    assert job.state == Job.State.DONE, job.error_values
    paper.refresh_from_db()
    return paper


def text_of(paper: Paper) -> str:
    assert paper.content is not None
    done = subprocess.run(
        ["pdftotext", "-layout", "-", "-"], input=bytes(paper.content), capture_output=True, check=True
    )
    return done.stdout.decode()


def desk(event: Event) -> Client:
    return client_of(organizer_of(event).user)


@reads_pdf
@pytest.mark.parametrize("kind", OF_A_ROUND)
@pytest.mark.parametrize("language", Paper.Language.values)
def test_a_paper_of_a_round_names_every_player_who_has_a_board(
    section: Section, kind: str, language: str
) -> None:
    paper = printed(section, kind, number=3, language=language)

    text = text_of(paper)
    pairings = (
        section.rounds.get(number=3)
        .pairings.filter(black__isnull=False)
        .select_related("white__player", "black__player")
    )
    words = Words(language)
    for entry in [e for p in pairings for e in (p.white, p.black)]:
        first = words.person(entry.player)[0]
        assert first in text or all(part in text for part in first.split()), first


@reads_pdf
def test_slips_stand_four_a_page_and_say_in_both_languages_what_to_do(section: Section) -> None:
    paper = printed(section, "SLIPS", number=3, language="EN")

    assert paper.pages == 2  # six boards
    text = text_of(paper)
    assert text.count("bring this slip to the arbiter") == 6
    assert text.count("2–0") == text.count("1–1") == text.count("0–2") == 6
    assert "White signs" in text and "白方签字" in text
    assert "Yueyang Cup" in text and "Round 3" in text


@reads_pdf
def test_badges_are_ten_a_page_and_the_officials_have_theirs(section: Section) -> None:
    paper = printed(section, "BADGES")

    assert paper.pages == 2  # 13 players, a chief arbiter, the organizers
    assert "王伟" in text_of(paper).replace(" ", "")


@reads_pdf
def test_the_book_has_every_part_of_the_event_and_numbers_its_pages(section: Section) -> None:
    other = f.make_section(section.event, code="girls", name="女子组", name_en="Girls")
    f.make_entries(other, 4)
    made = printed(section, "BOOK")

    text = text_of(made)
    for said in (
        "成绩册 Results book",
        "Officials",
        "Entry list",
        "公开组 Open",
        "女子组 Girls",
        "Cross table",
        "Round 1",
        "Round 3",
        "Signatures",
    ):
        assert said in text, said
    assert re.search(rf"\b{made.pages} ?/ ?{made.pages}\b", text)


def test_a_table_longer_than_a_page_repeats_its_head(section: Section) -> None:
    long = f.make_section(section.event, code="long")
    f.make_entries(long, 90)
    blocks = papers.document(printed(section, "ENTRIES"))["blocks"]

    assert [len(block["rows"]) for block in blocks if block["type"] == "table"] == [13, 90]


@reads_pdf
def test_team_match_sheets_hold_the_line_up_or_lines_to_write_it(section: Section) -> None:
    teams = f.make_section(section.event, code="teams", format=Section.Format.TEAM_SWISS, team_boards=3)
    entries = f.make_entries(teams, 4)
    for entry in entries:
        for at in range(1, 5):
            TeamMember.objects.create(entry=entry, position=at, name=f"M{entry.number}-{at}")
    f.make_round(teams, f.draw(entries, 1))

    paper = printed(teams, "MATCHES", number=1)

    assert paper.pages == 2
    text = text_of(paper)
    assert all(f"M{entry.number}-{at}" in text for entry in entries for at in range(1, 5))


@reads_pdf
def test_a_draft_says_so_and_certificates_are_for_the_first_three(section: Section) -> None:
    actor = b.organizer()
    made = b.section(actor, players=6)
    b.draft(actor, made)
    assert "DRAFT, not published" in text_of(printed(made, "BOARDS", number=1))
    section = b.section(actor, players=6)
    b.play_round(actor, section)
    b.work_all(section)
    assert printed(section, "CERTIFICATES").pages >= 3
    assert "Player 1" in text_of(printed(section, "PRIZES"))
    assert "Player 6" in text_of(printed(section, "STANDINGS"))


@reads_pdf
def test_names_are_data_and_a_long_one_is_whole(section: Section) -> None:
    name = "#strong[x] Wolfeschlegelsteinhausenbergerdorff Hubert Blaine Číž"
    f.make_entry(section, number=14, name=name)

    for kind in ("BADGES", "ENTRIES"):
        text = " ".join(text_of(printed(section, kind)).split())
        assert "#strong[x]" in text and "Hubert" in text and "Číž" in text


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8000",
        "localhost",
        "http://[::1]:8000",
        "http://0.0.0.0",
        "http://a.localhost",
        "http://127.9.9.9",
        "ftp://x",
        "http://h/p",
        "http://u@h",
        "http://h:x",
    ],
)
def test_codes_never_lead_to_this_machine_itself(section: Section, address: str) -> None:
    client = desk(section.event)

    response = client.post(
        reverse("desk:papers", args=[section.event_id]),
        {"paper": "POSTER::", "address": "other", "other_address": address},
    )

    assert response.status_code == 400
    assert not Paper.objects.exists()


def test_whoever_opens_the_page_on_the_machine_itself_is_told_and_may_choose(section: Section) -> None:
    client = desk(section.event)
    page = client.get(reverse("desk:papers", args=[section.event_id]), headers={"host": "127.0.0.1:8000"})

    text = page.content.decode()
    assert "an address that only this computer knows" in text
    assert 'value="http://127' not in text and 'value="http://localhost' not in text


def test_the_page_leads_from_a_press_to_the_file(section: Section) -> None:
    client = desk(section.event)
    shelf = reverse("desk:papers", args=[section.event_id])
    value = f"SLIPS:{section.pk}:3"
    assert value in client.get(shelf).content.decode()

    first = client.post(shelf, {"paper": value, "language": "ZH", "address": HALL})
    again = client.post(shelf, {"paper": value, "language": "ZH", "address": HALL})

    assert first.url == again.url  # a double press asks once
    paper = Paper.objects.get()
    assert client.get(reverse("desk:paper_file", args=[paper.pk])).status_code == 404
    assert "progress" in client.get(first.url).content.decode()
    b.run(paper.job)
    assert "Open the PDF" in client.get(first.url).content.decode()  # a page opened anew finds it done
    file = client.get(reverse("desk:paper_file", args=[paper.pk]))
    assert file["Content-Type"] == "application/pdf" and file.content.startswith(b"%PDF")


def test_a_paper_of_an_older_state_says_so(section: Section) -> None:
    paper = printed(section, "BOARDS", number=3)
    page = reverse("desk:paper", args=[paper.pk])
    client = desk(section.event)
    assert "Something changed" not in client.get(page).content.decode()

    Section.objects.filter(pk=section.pk).update(version=section.version + 99)

    assert "Something changed" in client.get(page).content.decode()


def test_a_round_that_is_gone_when_the_job_runs_is_told(section: Section) -> None:
    paper = services.order_paper(
        organizer_of(section.event), section.event_id, kind="SLIPS", section_id=section.pk, round_number=3
    )
    section.rounds.get(number=3).delete()

    job = b.run(paper.job)

    assert job.state == Job.State.FAILED
    assert (
        "there no longer" in desk(section.event).get(reverse("desk:paper", args=[paper.pk])).content.decode()
    )


@pytest.mark.parametrize(
    "value",
    [
        "SLIPS::",
        "SLIPS:0:1",
        "SLIPS:x:1",
        "NOTHING::",
        "MATCHES:{pk}:3",
        "SLIPS:{pk}:9",
        "STANDINGS:{pk}:",
        "",
    ],
)
def test_what_is_not_there_is_not_printed(section: Section, value: str) -> None:
    response = desk(section.event).post(
        reverse("desk:papers", args=[section.event_id]), {"paper": value.format(pk=section.pk)}
    )

    assert response.status_code in {400, 404, 409}
    assert not Paper.objects.exists()


def test_a_section_of_another_event_is_not_printed(section: Section) -> None:
    other = f.make_section(f.make_event(), code="other")
    f.play_rounds(other, f.make_entries(other, 4), 1)

    response = desk(section.event).post(
        reverse("desk:papers", args=[section.event_id]), {"paper": f"SLIPS:{other.pk}:1"}
    )

    assert response.status_code == 404


def test_only_the_latest_papers_are_kept(section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "KEPT", 2)
    for _turn in range(4):
        printed(section, "POSTER")

    assert Paper.objects.count() <= 3
    assert Job.objects.filter(kind="PAPER").count() == Paper.objects.count()
