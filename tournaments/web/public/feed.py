"""The notice board as RSS, for readers who want to be told."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable

from django.utils.feedgenerator import Rss201rev2Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.selectors.notice_board import Kind, Notice
from tournaments.services.notices import words_of
from tournaments.templatetags.names import named

_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


class _Feed(Rss201rev2Feed):
    """Dated by its latest notice, and before the first by the event: the same notices are the same text.

    Who left has no time, only a round.
    """

    def latest_post_date(self) -> dt.datetime:
        since: dt.datetime = self.feed["since"]
        dated = [item["pubdate"] for item in self.items if item["pubdate"] is not None]
        return max(dated, default=since)


def rss(event: Event, notices: Iterable[Notice], *, page: str) -> str:
    """RSS 2.0, the latest notice first; a withdrawn one says so."""
    feed = _Feed(
        title=_writable(_("Notices: %(event)s") % {"event": named(event)}),
        link=page,
        description=_writable(named(event)),
        language=get_language(),
        since=event.created_at,
    )
    for notice in notices:
        title = _writable(title_of(notice))
        feed.add_item(
            title=title,
            link=page,
            description=title,
            pubdate=notice.at,
            unique_id=f"{event.code}-{notice.key}",
            unique_id_is_permalink=False,
        )
    return feed.writeString("utf-8")


def _writable(text: str) -> str:
    return _NOT_IN_XML.sub("", text)


def title_of(notice: Notice) -> str:
    text = sentence(notice)
    return f"{named(notice.section)}: {text}" if notice.section else text


def sentence(notice: Notice) -> str:
    """What the board says, without the name of the section."""
    if notice.posted is not None:
        kind = notice.posted.get_kind_display()
        text = f"{kind}: {words_of(notice.posted)}"
        return _("Withdrawn: %(text)s") % {"text": text} if notice.posted.withdrawn_at else text
    name = notice.entry.player.name if notice.entry else ""
    if notice.kind is Kind.ROUND:
        return _("The pairings of round %(n)s are published.") % {"n": notice.round_number}
    if notice.kind is Kind.POINTS:
        points = f"{notice.points:+d}"
        words = _("%(name)s: %(points)s points by ruling.") % {"name": name, "points": points}
        return f"{words} {notice.reason}".strip()
    if notice.entry and notice.entry.status == notice.entry.Status.DISQUALIFIED:
        return _("%(name)s was disqualified after round %(n)s.") % {"name": name, "n": notice.round_number}
    return _("%(name)s withdrew after round %(n)s.") % {"name": name, "n": notice.round_number}
