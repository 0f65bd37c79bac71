"""Who may use which address: one row for every named address of the site.

ANYONE needs no log-in, LOGGED_IN any account; the others are roles in the event (ADMIN: staff of the site).
A row names all who get the page; everyone else is refused or, on the desk of another event, finds nothing.
"""

from enum import StrEnum


class Who(StrEnum):
    ANYONE = "anyone"
    LOGGED_IN = "logged in"
    ADMIN = "admin"
    OWNER = "owner"  # a superuser
    ORGANIZER = "organizer"
    CHIEF_ARBITER = "chief arbiter"
    ARBITER = "arbiter"
    COMMITTEE = "committee member"
    PLAYER = "player"


ANYONE = frozenset({Who.ANYONE})
LOGGED_IN = frozenset({Who.LOGGED_IN})
DESK = frozenset({Who.ORGANIZER, Who.CHIEF_ARBITER, Who.ARBITER})
ORGANIZERS = frozenset({Who.ORGANIZER})
CHIEFS = frozenset({Who.ORGANIZER, Who.CHIEF_ARBITER})
ADMINS = frozenset({Who.ADMIN})
OWNERS = frozenset({Who.OWNER})

SITE = {
    "healthz": ANYONE,
    "readyz": ANYONE,
    "metrics": ANYONE,
    "parts": ANYONE,
    "set_language": ANYONE,
    "api-schema": ANYONE,
    "document-schema": ANYONE,
    "api-docs": ANYONE,
    "api-token": ANYONE,
    "login": ANYONE,
    "logout": ANYONE,
    "password_change": LOGGED_IN,
    "password_change_done": LOGGED_IN,
    "password_reset": ANYONE,
    "password_reset_done": ANYONE,
    "password_reset_confirm": ANYONE,
    "password_reset_complete": ANYONE,
}

TOURNAMENTS_PUBLIC: dict[str, frozenset[Who]] = {
    "public:home": ANYONE,
    "public:robots": ANYONE,
    "public:sitemap": ANYONE,
    "public:manifest": ANYONE,
    "public:event": ANYONE,
    "public:event_calendar": ANYONE,
    "public:version": ANYONE,
    "public:notices": ANYONE,
    "public:notices_feed": ANYONE,
    "public:changes": ANYONE,
    "public:section": ANYONE,
    "public:round": ANYONE,
    "public:round_names": ANYONE,
    "public:why": ANYONE,
    "public:why_input": ANYONE,
    "public:bracket": ANYONE,
    "public:match": ANYONE,
    "public:why_report": ANYONE,
    "public:why_recompute": ANYONE,
    "public:why_not": ANYONE,
    "public:standings": ANYONE,
    "public:cross": ANYONE,
    "public:results": ANYONE,
    "public:info": ANYONE,
    "public:screen": ANYONE,
    "public:players": ANYONE,
    "public:register": ANYONE,
    "public:registration_withdraw": ANYONE,  # whoever holds the personal link
    "public:my_absence": ANYONE,
    "public:my_here": ANYONE,
    "public:player": ANYONE,
    "public:working": ANYONE,
    "public:player_calendar": ANYONE,
    "public:my": ANYONE,
    "public:my_calendar": ANYONE,
}

DOWNLOADS: dict[str, frozenset[Who]] = {
    "download:section_file": ANYONE,
    "download:event_json": DESK,
    "download:section_report": DESK,
}

TOURNAMENTS_DESK: dict[str, frozenset[Who]] = {
    "desk:setup": ANYONE,
    "desk:home": LOGGED_IN,
    "desk:account": LOGGED_IN,
    "desk:token": LOGGED_IN,
    "desk:accounts": ADMINS,
    "desk:backups": OWNERS,
    "desk:backup_file": OWNERS,
    "desk:event_new": ADMINS,
    "desk:event_import": ADMINS,
    "desk:event": DESK,
    "desk:event_settings": ORGANIZERS,
    "desk:event_show": ORGANIZERS,
    "desk:officials": ORGANIZERS,
    "desk:official_remove": ORGANIZERS,
    "desk:log": CHIEFS,
    "desk:notices": DESK,
    "desk:notice_withdraw": DESK,
    "desk:event_close": CHIEFS,
    "desk:files": DESK,
    "desk:report_import": ORGANIZERS,
    "desk:section_new": ORGANIZERS,
    "desk:section": DESK,
    "desk:section_settings": ORGANIZERS,
    "desk:section_delete": ORGANIZERS,
    "desk:section_close": CHIEFS,
    "desk:section_reopen": CHIEFS,
    "desk:entries": DESK,
    "desk:entry_new": CHIEFS,
    "desk:absence_table": DESK,
    "desk:links": CHIEFS,
    "desk:import": CHIEFS,
    "desk:import_preview": CHIEFS,
    "desk:entry": DESK,
    "desk:entry_remove": CHIEFS,
    "desk:entry_withdraw": CHIEFS,
    "desk:entry_return": CHIEFS,
    "desk:entry_link": CHIEFS,
    "desk:entry_absence": CHIEFS,
    "desk:entry_members": CHIEFS,
    "desk:registration": DESK,
    "desk:registration_terms": ORGANIZERS,
    "desk:registration_answer": CHIEFS,
    "desk:absence_answer": CHIEFS,
    "desk:payment": CHIEFS,
    "desk:check_in": DESK,
    "desk:check_in_close": CHIEFS,
    "desk:match": DESK,
    "desk:absence_cancel": CHIEFS,
    "desk:pair": DESK,
    "desk:job": DESK,
    "desk:draft": DESK,
    "desk:draft_change": DESK,
    "desk:why_not": DESK,
    "desk:relax": DESK,
    "desk:publish": CHIEFS,
    "desk:publish_all": CHIEFS,
    "desk:unpublish": CHIEFS,
    "desk:discard": DESK,
    "desk:bracket_repair": DESK,
    "desk:forbidden": DESK,
    "desk:pair_allow": DESK,
    "desk:results": DESK,
    "desk:result": DESK,
    "desk:result_changes": DESK,
    "desk:result_undo": DESK,
    "desk:round": DESK,
    "desk:round_start": CHIEFS,
    "desk:print_boards": DESK,
    "desk:print_names": DESK,
    "desk:print_slips": DESK,
    "desk:print_cards": DESK,
    "desk:standings": DESK,
    "desk:adjust": frozenset({Who.CHIEF_ARBITER}),
    "desk:print_standings": DESK,
}

# Where anybody may read and officials write, the row names the readers; tests/api holds every method to its roles.
TOURNAMENTS_API: dict[str, frozenset[Who]] = {
    "api-events": ANYONE,
    "api-event": ANYONE,
    "api-event-visibility": ORGANIZERS,
    "api-event-closing": CHIEFS,
    "api-event-documents": ADMINS,
    "api-event-document": DESK,
    "api-reports": ORGANIZERS,
    "api-files": ANYONE,
    "api-roles": DESK,
    "api-role": ORGANIZERS,
    "api-log": CHIEFS,
    "api-sections": ANYONE,
    "api-section": ANYONE,
    "api-desk": DESK,
    "api-desk-entries": DESK,
    "api-section-closing": CHIEFS,
    "api-section-reopening": CHIEFS,
    "api-entries": ANYONE,
    "api-entry": ANYONE,
    "api-entry-withdrawal": CHIEFS,
    "api-entry-return": CHIEFS,
    "api-absences": DESK,
    "api-absence": CHIEFS,
    "api-imports": CHIEFS,
    "api-import": CHIEFS,
    "api-import-confirmation": CHIEFS,
    "api-pairing": DESK,
    "api-pairing-by-hand": DESK,
    "api-jobs": DESK,
    "api-job": DESK,
    "api-draft-discard": DESK,
    "api-forbidden-pairs": DESK,
    "api-forbidden-pair": DESK,
    "api-rounds": ANYONE,
    "api-publish-all": CHIEFS,
    "api-round": ANYONE,
    "api-pairings": ANYONE,
    "api-round-start": CHIEFS,
    "api-publish": CHIEFS,
    "api-unpublish": CHIEFS,
    "api-boards": DESK,
    "api-draft": DESK,
    "api-draft-swap": DESK,
    "api-draft-set": DESK,
    "api-draft-bye": DESK,
    "api-result": DESK,
    "api-bracket-repairs": DESK,
    "api-results": DESK,
    "api-adjustments": ANYONE,
    "api-standings": ANYONE,
    "api-workings": ANYONE,
    "api-cross-table": ANYONE,
    "api-notices": ANYONE,
    "api-notice-withdrawal": DESK,
    "api-result-changes": ANYONE,
    "api-teams": ANYONE,
    "api-entry-members": CHIEFS,
    "api-bracket": ANYONE,
    "api-matches": ANYONE,
    "api-match": ANYONE,
    "api-advancing": DESK,
    "api-why": ANYONE,
    "api-recomputation": ANYONE,
    "api-why-not": ANYONE,
}

ARBITERS = frozenset({Who.CHIEF_ARBITER, Who.ARBITER})
AT_COURT = frozenset({Who.ORGANIZER, Who.CHIEF_ARBITER, Who.ARBITER, Who.COMMITTEE})
CASE_READERS = frozenset({Who.ORGANIZER, Who.CHIEF_ARBITER, Who.COMMITTEE})

# A case is opened to its parties by link or account besides; tests/games holds every step to its own people.
COURT: dict[str, frozenset[Who]] = {
    "games:articles": ANYONE,
    "games:precedents": AT_COURT,
    "games:court": AT_COURT,
    "games:court_boards": AT_COURT,
    "games:lateness": ARBITERS,
    "games:round_clocks": ARBITERS,
    "games:court_person": ARBITERS,
    "games:court_irregular": ARBITERS,
    "games:court_penalty": ARBITERS,
    "games:court_board": ARBITERS,
    "games:incident": AT_COURT,
    "games:ruling_whatif": ARBITERS,
    "games:incident_settle": ARBITERS,
    "games:ruling_revise": ARBITERS,
    "games:ruling": ARBITERS,
    "games:my_courts": LOGGED_IN,
    "games:relations": frozenset({Who.COMMITTEE}),
    "games:case": CASE_READERS,
    "games:case_pdf": CASE_READERS,
    "games:case_propose": CASE_READERS,  # of these only the panel; see tests/games/test_court_permissions.py
    "games:case_decide": CASE_READERS,
    "games:case_whatif": CASE_READERS,
    "games:case_act": CASE_READERS,
    "games:seat_act": CASE_READERS,
    "games:evidence": CASE_READERS,
    "games:own_appeal": LOGGED_IN,  # a party, or its captain
    "games:own_contest": LOGGED_IN,  # for himself, or the players of his delegation
    "games:paper_appeal": AT_COURT,
    "games:my_contest": ANYONE,
    "games:own_case": LOGGED_IN,
    "games:own_case_act": LOGGED_IN,
    "games:my_court": ANYONE,  # whoever holds the personal link
    "games:my_appeal": ANYONE,
    "games:my_case": ANYONE,
    "games:my_case_act": ANYONE,
    "games:my_evidence": ANYONE,
    "games:report": DESK,  # the chief arbiter writes, the organizer answers
    "games:letters": DESK,
    "games:letter_answer": DESK,  # a question the arbiters, a letter the organizer
    "games:own_letters": LOGGED_IN,  # for himself, or the players of his delegation
    "games:my_letters": ANYONE,
    "games:register": ANYONE,
    "games:public_case": ANYONE,
}

GAMES: dict[str, frozenset[Who]] = {
    "games:clock": ANYONE,
    "games:games": ANYONE,
    "games:game": ANYONE,
    "games:game_pdn": ANYONE,
    "games:board": ANYONE,
    "games:board_game": ANYONE,
    "games:round_pdn": ANYONE,
    "games:section_pdn": ANYONE,
    "games:mine": LOGGED_IN,
    "games:my_sheet": ANYONE,  # whoever holds the personal link
    "games:my_adjournment": ANYONE,  # whoever holds the personal link
    "games:my_sheet_photo": ANYONE,  # whoever holds the personal link
    "games:my_sheet_picture": ANYONE,  # whoever holds the personal link
    "games:sheet_photo": DESK,  # and the player of that side
    "games:sheet_picture": DESK,  # and the player of that side
    "games:sheet_photos": DESK,
    "games:sheet_forms": DESK,
    "games:sheet": DESK,  # and the player of that side
    "games:desk_round": DESK,
    "games:desk_rules": ORGANIZERS,
    "games:print_sheets": DESK,
    "games:print_equipment": DESK,
    "games:print_entries": DESK,
    "games:desk_game": DESK,
    "games:quick_entry": DESK,
    "games:desk_accept": DESK,
    "games:proposals": DESK,
    "games:claim": DESK,
    "games:adjournment": DESK,
    "games:desk_act": DESK,
    "games:pdn_upload": ADMINS,
    "games:pdn_preview": ADMINS,
}

GAMES_API: dict[str, frozenset[Who]] = {
    "api-games": ANYONE,
    "api-game": ANYONE,
    "api-sheets": DESK,  # and the players of the board, by account or personal link
    "api-verdict": DESK,  # and the player whose sheet it is
    "api-score": DESK,
    "api-finalisation": DESK,
    "api-board-incidents": ARBITERS,
    "api-round-incidents": ARBITERS,
    "api-lateness": ARBITERS,
    "api-clocks": ARBITERS,
    "api-arrival": ARBITERS,
    "api-incidents": AT_COURT,
    "api-incident": AT_COURT,
    "api-incident-standing": ARBITERS,
    "api-incident-refusal": ARBITERS,
    "api-incident-rulings": ARBITERS,
    "api-rulings": ANYONE,
    "api-ruling-confirmation": ARBITERS,
    "api-ruling-refusal": ARBITERS,
    "api-ruling-withdrawal": ARBITERS,
    "api-ruling-revision": ARBITERS,
    "api-ruling-appeals": ANYONE,  # who plays there, by link or account, or his captain
    "api-appeals": ANYONE,
    "api-contested-decisions": ANYONE,  # who plays there, by link or account, or his captain
    "api-paper-appeals": AT_COURT,
    "api-appeal-fee": CHIEFS,
    "api-appeal-late-hearing": frozenset({Who.COMMITTEE}),
    "api-appeal-revision": frozenset({Who.COMMITTEE}),
    "api-appeal": ANYONE,
    "api-appeal-evidence": ANYONE,  # a party of the case
    "api-appeal-withdrawal": ANYONE,  # its appellant
    "api-letters": ANYONE,  # whoever plays here, by link or account; the desk reads what it answers
    "api-letter-answer": DESK,
    "api-own-court": ANYONE,  # whoever has a board here, by link or account
}

TABLE: dict[str, frozenset[Who]] = {
    **SITE,
    **TOURNAMENTS_PUBLIC,
    **DOWNLOADS,
    **TOURNAMENTS_DESK,
    **TOURNAMENTS_API,
    **COURT,
    **GAMES,
    **GAMES_API,
}
