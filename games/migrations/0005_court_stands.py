"""Nothing of the court is deleted, and a vote, a count, a statement and a file are never changed, whoever asks."""

from django.db import migrations

KEPT = [
    "incident", "ruling", "appeal", "evidence", "panelseat", "statement", "proposal", "vote", "tally", "appealdecision",
    "delivery",
]  # fmt: skip
UNCHANGED = ["evidence", "statement", "vote", "tally"]

KEEP = """
CREATE FUNCTION games_court_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is kept: % is refused', TG_TABLE_NAME, TG_OP;
END $$;
""" + "".join(
    f"CREATE TRIGGER games_{name}_kept BEFORE DELETE ON games_{name} FOR EACH ROW EXECUTE FUNCTION games_court_is_kept();\n"
    for name in KEPT
) + "".join(
    f"CREATE TRIGGER games_{name}_unchanged BEFORE UPDATE ON games_{name} FOR EACH ROW EXECUTE FUNCTION games_court_is_kept();\n"
    for name in UNCHANGED
)

LET_GO = "".join(f"DROP TRIGGER games_{name}_unchanged ON games_{name};\n" for name in UNCHANGED) + "".join(
    f"DROP TRIGGER games_{name}_kept ON games_{name};\n" for name in KEPT
) + "DROP FUNCTION games_court_is_kept();"


class Migration(migrations.Migration):
    dependencies = [("games", "0004_court")]
    operations = [migrations.RunSQL(KEEP, LET_GO)]
