"""Addresses of the desk: the pages of organizers and arbiters, and the first set-up."""

from django.urls import URLPattern, URLResolver, include, path

from tournaments.web.desk import (
    accounts,
    backups,
    entries,
    events,
    files,
    imports,
    matches,
    notices,
    pairing,
    printing,
    registration,
    results,
    rounds,
    sections,
    standings,
)

app_name = "desk"

_event = [
    path("", events.event, name="event"),
    path("settings/", events.settings, name="event_settings"),
    path("show/", events.show, name="event_show"),
    path("officials/", events.officials, name="officials"),
    path("log/", events.log, name="log"),
    path("notices/", notices.board, name="notices"),
    path("close/", events.close, name="event_close"),
    path("check-in/", registration.check_in_list, name="check_in"),
    path("files/", files.files, name="files"),
    path("files/report/", files.report, name="report_import"),
    path("sections/new/", sections.new, name="section_new"),
]

_round = [
    path("", rounds.round_page, name="round"),
    path("start/", rounds.start, name="round_start"),
    path("draft/", pairing.draft, name="draft"),
    path("draft/change/<slug:verb>/", pairing.change, name="draft_change"),
    path("why-not/", pairing.why_not, name="why_not"),
    path("publish/", pairing.publish, name="publish"),
    path("unpublish/", pairing.unpublish, name="unpublish"),
    path("results/", results.grid, name="results"),
    path("results/changes/", results.changes, name="result_changes"),
    path("print/boards/", printing.boards, name="print_boards"),
    path("print/names/", printing.names, name="print_names"),
    path("print/slips/", printing.slips, name="print_slips"),
    path("print/cards/", printing.cards, name="print_cards"),
]

_section: list[URLPattern | URLResolver] = [
    path("", sections.section, name="section"),
    path("settings/", sections.settings, name="section_settings"),
    path("delete/", sections.delete, name="section_delete"),
    path("close/", sections.close, name="section_close"),
    path("reopen/", sections.reopen, name="section_reopen"),
    path("entries/", entries.entry_list, name="entries"),
    path("entries/new/", entries.new, name="entry_new"),
    path("entries/absences/", entries.absence_table, name="absence_table"),
    path("entries/links/", entries.links, name="links"),
    path("registration/", registration.overview, name="registration"),
    path("registration/terms/", registration.terms, name="registration_terms"),
    path("check-in/close/", registration.check_in_close, name="check_in_close"),
    path("import/", imports.upload, name="import"),
    path("import/<int:draft_id>/", imports.preview, name="import_preview"),
    path("pair/", pairing.pair, name="pair"),
    path("relax/", pairing.relax, name="relax"),
    path("publish/", pairing.publish_all, name="publish_all"),
    path("discard/", pairing.discard, name="discard"),
    path("bracket/", matches.set_right, name="bracket_repair"),
    path("forbidden/", pairing.forbidden, name="forbidden"),
    path("standings/", standings.standings, name="standings"),
    path("standings/adjust/", standings.adjust, name="adjust"),
    path("standings/print/", printing.standings, name="print_standings"),
    path("rounds/<int:number>/", include(_round)),
]

_entry = [
    path("", entries.entry, name="entry"),
    path("remove/", entries.remove, name="entry_remove"),
    path("withdraw/", entries.withdraw, name="entry_withdraw"),
    path("return/", entries.come_back, name="entry_return"),
    path("link/", entries.renew_link, name="entry_link"),
    path("absence/", entries.absence, name="entry_absence"),
    path("payment/", registration.payment, name="payment"),
    path("members/", matches.members, name="entry_members"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("setup/", accounts.set_up, name="setup"),
    path("desk/", events.home, name="home"),
    path("desk/account/", accounts.account, name="account"),
    path("desk/account/token/", accounts.token, name="token"),
    path("desk/backups/", backups.page, name="backups"),
    path("desk/backups/<str:kept>", backups.file, name="backup_file"),
    path("desk/accounts/", accounts.organizers, name="accounts"),
    path("desk/events/new/", events.new, name="event_new"),
    path("desk/events/file/", files.event_file, name="event_import"),
    path("desk/events/<int:event_id>/", include(_event)),
    path("desk/roles/<int:role_id>/remove/", events.remove_official, name="official_remove"),
    path("desk/notices/<int:notice_id>/withdraw/", notices.withdraw, name="notice_withdraw"),
    path("desk/sections/<int:section_id>/", include(_section)),
    path("desk/entries/<int:entry_id>/", include(_entry)),
    path(
        "desk/registrations/<int:registration_id>/answer/",
        registration.answer_registration,
        name="registration_answer",
    ),
    path(
        "desk/absence-requests/<int:request_id>/answer/", registration.answer_request, name="absence_answer"
    ),
    path("desk/absences/<int:absence_id>/cancel/", entries.cancel_absence, name="absence_cancel"),
    path("desk/forbidden/<int:pair_id>/allow/", pairing.allow, name="pair_allow"),
    path("desk/jobs/<int:job_id>/", pairing.job, name="job"),
    path("desk/pairings/<int:pairing_id>/result/", results.row, name="result"),
    path("desk/pairings/<int:pairing_id>/match/", matches.match, name="match"),
    path("desk/pairings/<int:pairing_id>/undo/", results.undo, name="result_undo"),
]
