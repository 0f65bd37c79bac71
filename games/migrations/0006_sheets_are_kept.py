"""What was handed in or agreed at a game is never deleted, whoever asks the database: nor is the board it belongs to."""

from django.db import migrations

KEPT = ["scoresheet", "verdict", "result", "drawoffer", "adjournment"]

KEEP = "".join(
    f"CREATE TRIGGER games_{name}_kept BEFORE DELETE ON games_{name} FOR EACH ROW EXECUTE FUNCTION games_court_is_kept();\n"
    for name in KEPT
)
LET_GO = "".join(f"DROP TRIGGER games_{name}_kept ON games_{name};\n" for name in KEPT)


class Migration(migrations.Migration):
    dependencies = [("games", "0005_court_stands")]
    operations = [migrations.RunSQL(KEEP, LET_GO)]
