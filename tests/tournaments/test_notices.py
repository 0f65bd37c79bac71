"""The notice board, its feed, its marks beside what they changed, and the public list of changed results."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.games.court_cast import Court, court, ruled, user_of
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.models import Entry, Event, Notice, Round
from tournaments.services import notices, results

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Court:
    return court()


def page(stage: Court, name: str, *more: object, language: str = "en") -> str:
    answer = Client(headers={"accept-language": language}).get(
        reverse(f"public:{name}", args=[stage.event.code, *more])
    )
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.mark.clause("15.2.4", at="tournaments/services/notices.py")
def test_15_notices_are_posted_by_officials_shown_in_order_and_struck_out(stage: Court) -> None:
    first = notices.post_notice(stage.arbiter, stage.event.pk, text="Round 2 starts at 14:00.")
    notices.post_notice(stage.organizer, stage.event.pk, text="Quiet!", section_id=stage.section.pk)

    text = page(stage, "notices")
    assert text.index("Quiet!") < text.index("Round 2 starts")
    assert "The pairings of round 2 are published." in text

    with pytest.raises(BadInput):
        notices.withdraw_notice(stage.arbiter, first.pk, reason=" ")
    notices.withdraw_notice(stage.arbiter, first.pk, reason="moved to 15:00")
    text = page(stage, "notices")
    assert "<s>" in text and "Round 2 starts" in text


def test_only_officials_post_and_notices_of_rulings_follow_the_ruling(stage: Court) -> None:
    for stranger in (Actor(user=f.make_user()), Actor()):
        with pytest.raises(NotFound):
            notices.post_notice(stranger, stage.event.pk, text="x")
    member = f.make_user()
    f.make_role(member, stage.event, "COMMITTEE")
    with pytest.raises((NotAllowed, NotFound)):
        notices.post_notice(Actor(user=member), stage.event.pk, text="x")
    with pytest.raises(BadInput):
        notices.post_notice(stage.arbiter, stage.event.pk, text="x", kind=Notice.Kind.WARNING)
    with pytest.raises(BadInput):
        notices.post_notice(stage.arbiter, stage.event.pk, text="")
    ruling = ruled(stage, "WARNING")
    assert ruling.notice is not None
    with pytest.raises(WrongState):
        notices.withdraw_notice(stage.chief, ruling.notice.pk, reason="hide it")
    assert Notice.objects.filter(withdrawn_at__isnull=True).count() == 1


@pytest.mark.clause("15.2.5", "13.1.1", at="tournaments/selectors/notice_board.py")
def test_regulations_stand_on_the_board(stage: Court) -> None:
    Event.objects.filter(pk=stage.event.pk).update(regulations="Lateness limit 15 minutes.")

    assert "Lateness limit 15 minutes." in page(stage, "notices")


def test_the_feed_is_rss_with_one_item_a_notice_and_an_etag(stage: Court) -> None:
    notices.post_notice(stage.arbiter, stage.event.pk, text="A < B & C")
    ruled(stage, "WARNING")
    client = Client(headers={"accept-language": "en"})
    address = reverse("public:notices_feed", args=[stage.event.code])
    answer = client.get(address)

    titles = [item.findtext("title") or "" for item in ElementTree.fromstring(answer.content).iter("item")]

    assert answer["Content-Type"].startswith("application/rss+xml")
    assert len(titles) == 4  # two rounds, the notice, the warning
    assert any("A < B & C" in title for title in titles) and any("public warning" in t for t in titles)
    assert client.get(address, headers={"if-none-match": answer["ETag"]}).status_code == 304
    notices.post_notice(stage.arbiter, stage.event.pk, text="news")
    assert client.get(address, headers={"if-none-match": answer["ETag"]}).status_code == 200


@pytest.mark.parametrize("published", [True, False])
def test_the_feed_tells_who_left_which_has_no_time(stage: Court, published: bool) -> None:
    if not published:
        Round.objects.filter(section=stage.section).update(published_at=None)
    entry = stage.entries[0]
    Entry.objects.filter(pk=entry.pk).update(status=Entry.Status.WITHDRAWN, withdrawn_after_round=2)

    root = ElementTree.fromstring(page(stage, "notices_feed"))

    titles = [item.findtext("title") or "" for item in root.iter("item")]
    assert [title for title in titles if f"{entry.player.name} withdrew after round 2." in title]
    assert root.findtext("channel/lastBuildDate")


def test_rulings_are_marked_on_the_round_the_table_and_the_game(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST", article="14.1.2")
    f.make_standings(stage.section)
    board = reverse("games:board", args=[stage.event.code, stage.section.code, 2, 1])
    shown = [
        page(stage, "round", stage.section.code, 2),
        page(stage, "standings", stage.section.code),
        Client(headers={"accept-language": "en"}).get(board, follow=True).content.decode(),
    ]
    assert all("14.1.2" in text for text in shown)
    assert "§" in shown[0]
    assert "14.1.2" not in page(stage, "round", stage.section.code, 1)

    from games.services.court import rulings

    rulings.withdraw_ruling(stage.arbiter, ruling.pk, reason="wrong board")
    assert "14.1.2" not in page(stage, "round", stage.section.code, 2)


def test_every_change_to_a_result_after_publication_is_listed(stage: Court) -> None:
    board = stage.board()
    results.record_outcome(stage.arbiter, board.pk, outcome="WHITE", version=0)
    assert "No result was changed" in page(stage, "changes")

    results.record_outcome(stage.arbiter, board.pk, outcome="DRAW", version=1, reason="misread slip")
    ruled(stage, "BOTH_LOSE", side="")

    text = page(stage, "changes")
    assert text.count("<tr>") == 3  # the head and two changes
    assert "misread slip" in text and "lost for both" in text
    assert "192.0.2.7" not in text and str(user_of(stage.arbiter)) not in text


def test_notices_in_chinese_for_chinese_readers(stage: Court) -> None:
    ruled(stage, "WARNING")

    assert "公开警告" in page(stage, "notices", language="zh-hans")
    assert "public warning" in page(stage, "notices", language="en")


def test_the_desk_posts_and_strikes_out(stage: Court) -> None:
    client = client_of(user_of(stage.arbiter))
    at = reverse("desk:notices", args=[stage.event.pk])
    assert client.post(at, {"kind": "NOTICE", "section": "", "text": "hello"}).status_code == 302
    notice = Notice.objects.get()
    assert client.post(at, {"kind": "NOTICE", "section": "", "text": " "}).status_code == 400

    out = reverse("desk:notice_withdraw", args=[notice.pk])
    assert client.post(out, {"reason": ""}).status_code == 400
    assert client.post(out, {"reason": "wrong"}).status_code == 302
    notice.refresh_from_db()
    assert notice.withdrawn_at is not None
