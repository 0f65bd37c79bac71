"""Addresses of games under /api/v1/."""

from django.urls import URLPattern, URLResolver, path

from games.web.api import appeals as api_appeals
from games.web.api import court as api_court
from games.web.api import games as api
from games.web.api import hall as api_hall
from games.web.api import letters as api_letters

EVENT = "events/<str:event>/"
SECTION = f"{EVENT}sections/<str:section>/"
BOARD = f"{SECTION}pairings/<int:pairing>/"
ROUND = f"{SECTION}rounds/<int:number>/"
INCIDENT = f"{EVENT}incidents/<int:incident>/"
RULING = f"{EVENT}rulings/<int:ruling>/"
APPEAL = f"{EVENT}appeals/<int:number>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(f"{SECTION}games/", api.GameListView.as_view(), name="api-games"),
    path(f"{BOARD}game/", api.GameView.as_view(), name="api-game"),
    path(f"{BOARD}sheets/", api.SheetListView.as_view(), name="api-sheets"),
    path(f"{BOARD}sheets/<int:sheet>/verdict/", api.VerdictView.as_view(), name="api-verdict"),
    path(f"{BOARD}score/", api.ScoreView.as_view(), name="api-score"),
    path(f"{BOARD}finalisation/", api.FinalView.as_view(), name="api-finalisation"),
    path(f"{BOARD}incidents/", api_court.BoardIncidentListView.as_view(), name="api-board-incidents"),
    path(f"{ROUND}incidents/", api_hall.RoundIncidentListView.as_view(), name="api-round-incidents"),
    path(f"{ROUND}lateness/", api_hall.LatenessView.as_view(), name="api-lateness"),
    path(f"{ROUND}clocks/", api_hall.ClocksView.as_view(), name="api-clocks"),
    path(f"{ROUND}arrival/", api_hall.ArrivalView.as_view(), name="api-arrival"),
    path(f"{EVENT}incidents/", api_court.IncidentListView.as_view(), name="api-incidents"),
    path(INCIDENT, api_court.IncidentView.as_view(), name="api-incident"),
    path(f"{INCIDENT}standing/", api_court.IncidentSettlingView.as_view(), name="api-incident-standing"),
    path(f"{INCIDENT}refusal/", api_court.IncidentRefusalView.as_view(), name="api-incident-refusal"),
    path(f"{INCIDENT}rulings/", api_court.IncidentRulingListView.as_view(), name="api-incident-rulings"),
    path(f"{EVENT}rulings/", api_court.RulingListView.as_view(), name="api-rulings"),
    path(
        f"{RULING}confirmation/", api_court.RulingConfirmationView.as_view(), name="api-ruling-confirmation"
    ),
    path(f"{RULING}refusal/", api_court.RulingRefusalView.as_view(), name="api-ruling-refusal"),
    path(f"{RULING}withdrawal/", api_court.RulingWithdrawalView.as_view(), name="api-ruling-withdrawal"),
    path(f"{RULING}revision/", api_court.RulingRevisionView.as_view(), name="api-ruling-revision"),
    path(f"{RULING}appeals/", api_appeals.RulingAppealListView.as_view(), name="api-ruling-appeals"),
    path(f"{EVENT}paper-appeals/", api_appeals.PaperAppealListView.as_view(), name="api-paper-appeals"),
    path(
        f"{SECTION}contested-decisions/",
        api_appeals.ContestedDecisionListView.as_view(),
        name="api-contested-decisions",
    ),
    path(f"{APPEAL}fee/", api_appeals.AppealFeeView.as_view(), name="api-appeal-fee"),
    path(
        f"{APPEAL}late-hearing/",
        api_appeals.AppealLateHearingView.as_view(),
        name="api-appeal-late-hearing",
    ),
    path(f"{EVENT}appeals/", api_appeals.AppealListView.as_view(), name="api-appeals"),
    path(APPEAL, api_appeals.AppealView.as_view(), name="api-appeal"),
    path(f"{APPEAL}evidence/", api_appeals.AppealEvidenceListView.as_view(), name="api-appeal-evidence"),
    path(f"{APPEAL}revision/", api_appeals.AppealRevisionView.as_view(), name="api-appeal-revision"),
    path(f"{APPEAL}withdrawal/", api_appeals.AppealWithdrawalView.as_view(), name="api-appeal-withdrawal"),
    path(f"{EVENT}letters/", api_letters.LetterListView.as_view(), name="api-letters"),
    path(
        f"{EVENT}letters/<int:number>/answer/",
        api_letters.LetterAnswerView.as_view(),
        name="api-letter-answer",
    ),
    path(f"{EVENT}own-court/", api_appeals.OwnCourtView.as_view(), name="api-own-court"),
]
