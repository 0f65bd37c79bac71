"""Addresses of the ledger under /api/v1/."""

from django.urls import URLPattern, URLResolver, path

from tournaments.api import (
    drafts,
    entries,
    events,
    imports,
    jobs,
    people,
    results,
    rounds,
    sections,
    standings,
)

EVENT = "events/<str:event>/"
SECTION = f"{EVENT}sections/<str:section>/"
ROUND = f"{SECTION}rounds/<int:number>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path("token/", people.TokenView.as_view(), name="api-token"),
    path("events/", events.EventListView.as_view(), name="api-events"),
    path(EVENT, events.EventView.as_view(), name="api-event"),
    path(f"{EVENT}visibility/", events.EventVisibilityView.as_view(), name="api-event-visibility"),
    path(f"{EVENT}closing/", events.EventClosingView.as_view(), name="api-event-closing"),
    path(f"{EVENT}roles/", people.RoleListView.as_view(), name="api-roles"),
    path(f"{EVENT}roles/<int:role>/", people.RoleView.as_view(), name="api-role"),
    path(f"{EVENT}log/", people.AuditView.as_view(), name="api-log"),
    path(f"{EVENT}sections/", sections.SectionListView.as_view(), name="api-sections"),
    path(SECTION, sections.SectionView.as_view(), name="api-section"),
    path(f"{SECTION}desk/", sections.SectionDeskView.as_view(), name="api-desk"),
    path(f"{SECTION}desk/entries/", entries.DeskEntryListView.as_view(), name="api-desk-entries"),
    path(f"{SECTION}closing/", sections.SectionClosingView.as_view(), name="api-section-closing"),
    path(f"{SECTION}reopening/", sections.SectionReopeningView.as_view(), name="api-section-reopening"),
    path(f"{SECTION}entries/", entries.EntryListView.as_view(), name="api-entries"),
    path(f"{SECTION}entries/<int:entry>/", entries.EntryView.as_view(), name="api-entry"),
    path(
        f"{SECTION}entries/<int:entry>/withdrawal/",
        entries.EntryWithdrawalView.as_view(),
        name="api-entry-withdrawal",
    ),
    path(f"{SECTION}entries/<int:entry>/return/", entries.EntryReturnView.as_view(), name="api-entry-return"),
    path(f"{SECTION}absences/", entries.AbsenceListView.as_view(), name="api-absences"),
    path(f"{SECTION}absences/<int:absence>/", entries.AbsenceView.as_view(), name="api-absence"),
    path(f"{SECTION}imports/", imports.ImportListView.as_view(), name="api-imports"),
    path(f"{SECTION}imports/<int:draft>/", imports.ImportView.as_view(), name="api-import"),
    path(
        f"{SECTION}imports/<int:draft>/confirmation/",
        imports.ImportConfirmationView.as_view(),
        name="api-import-confirmation",
    ),
    path(f"{SECTION}pairing/", rounds.PairingRequestView.as_view(), name="api-pairing"),
    path(f"{SECTION}jobs/", jobs.JobListView.as_view(), name="api-jobs"),
    path(f"{SECTION}jobs/<int:job>/", jobs.JobView.as_view(), name="api-job"),
    path(f"{SECTION}draft/", drafts.DraftDiscardView.as_view(), name="api-draft-discard"),
    path(f"{SECTION}forbidden-pairs/", drafts.ForbiddenPairListView.as_view(), name="api-forbidden-pairs"),
    path(
        f"{SECTION}forbidden-pairs/<int:pair>/",
        drafts.ForbiddenPairView.as_view(),
        name="api-forbidden-pair",
    ),
    path(f"{SECTION}rounds/", rounds.RoundListView.as_view(), name="api-rounds"),
    path(f"{SECTION}rounds/publication/", rounds.AllPublicationView.as_view(), name="api-publish-all"),
    path(ROUND, rounds.RoundView.as_view(), name="api-round"),
    path(f"{ROUND}pairings/", rounds.PairingListView.as_view(), name="api-pairings"),
    path(f"{ROUND}start/", rounds.RoundStartView.as_view(), name="api-round-start"),
    path(f"{ROUND}publication/", rounds.RoundPublicationView.as_view(), name="api-publish"),
    path(f"{ROUND}taking-back/", rounds.RoundWithdrawalView.as_view(), name="api-unpublish"),
    path(f"{ROUND}boards/", drafts.BoardListView.as_view(), name="api-boards"),
    path(f"{ROUND}draft/", drafts.DraftView.as_view(), name="api-draft"),
    path(f"{ROUND}draft/swap/", drafts.DraftSwapView.as_view(), name="api-draft-swap"),
    path(f"{ROUND}draft/set/", drafts.DraftSetView.as_view(), name="api-draft-set"),
    path(f"{ROUND}draft/bye/", drafts.DraftByeView.as_view(), name="api-draft-bye"),
    path(f"{SECTION}pairings/<int:pairing>/result/", results.ResultView.as_view(), name="api-result"),
    path(f"{SECTION}results/", results.ResultFormView.as_view(), name="api-results"),
    path(f"{SECTION}adjustments/", results.AdjustmentListView.as_view(), name="api-adjustments"),
    path(f"{SECTION}standings/", standings.StandingsView.as_view(), name="api-standings"),
    path(f"{SECTION}standings/<int:entry>/", standings.WorkingsView.as_view(), name="api-workings"),
    path(f"{SECTION}cross-table/", standings.CrossTableView.as_view(), name="api-cross-table"),
]
