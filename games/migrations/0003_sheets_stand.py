"""What was handed in, its verdict and a result are never changed, whoever asks the database. Who filed may be forgotten."""

from django.db import migrations

STAND = """
CREATE FUNCTION games_row_stands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF to_jsonb(NEW) - 'filed_by_id' - 'made_by_id' IS DISTINCT FROM to_jsonb(OLD) - 'filed_by_id' - 'made_by_id' THEN
        RAISE EXCEPTION '% is never changed', TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER games_scoresheet_stands BEFORE UPDATE ON games_scoresheet
    FOR EACH ROW EXECUTE FUNCTION games_row_stands();
CREATE TRIGGER games_verdict_stands BEFORE UPDATE ON games_verdict
    FOR EACH ROW EXECUTE FUNCTION games_row_stands();
CREATE TRIGGER games_result_stands BEFORE UPDATE ON games_result
    FOR EACH ROW EXECUTE FUNCTION games_row_stands();
"""

FALL = """
DROP TRIGGER games_result_stands ON games_result;
DROP TRIGGER games_verdict_stands ON games_verdict;
DROP TRIGGER games_scoresheet_stands ON games_scoresheet;
DROP FUNCTION games_row_stands();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0002_sheets")]
    operations = [migrations.RunSQL(STAND, FALL)]
