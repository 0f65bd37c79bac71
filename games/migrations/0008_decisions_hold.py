"""What was decided before holds were kept is final too."""

from typing import Any

from django.db import migrations


def hold_decided(apps: Any, schema_editor: Any) -> None:
    hold = apps.get_model("tournaments", "Hold")
    decided = apps.get_model("games", "Appeal").objects.filter(state="DECIDED")
    for appeal in decided.select_related("section", "ruling__incident__game", "ruling__incident__pairing__round"):
        incident = appeal.ruling.incident
        board = incident.pairing
        is_match = bool(appeal.section.match_rule) or appeal.section.format.startswith("TEAM_")
        if board is None or is_match or board.outcome == "UNPLAYED":
            continue
        hold.objects.create(
            section=appeal.section, case=f"A{appeal.number}", is_final=True, kind="RESULT", pairing=board,
            round_number=board.round.number, board=board.board,
            values={
                "white": board.white_id, "black": board.black_id, "outcome": board.outcome, "grade": board.grade,
                "advances": board.advances, "match": board.outcome,
            },
        )  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("games", "0007_attempts"), ("tournaments", "0015_holds")]
    operations = [migrations.RunPython(hold_decided, migrations.RunPython.noop)]
