"""The seats follow their pairings by triggers alone, so that emptying the tables of a test empties both."""

from django.db import migrations

FREE = """
ALTER TABLE tournaments_seat DROP CONSTRAINT tournaments_seat_pairing_id_fkey;

CREATE FUNCTION tournaments_empty_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE tournaments_seat;
    RETURN NULL;
END $$;
CREATE TRIGGER tournaments_seats_truncate AFTER TRUNCATE ON tournaments_pairing
    FOR EACH STATEMENT EXECUTE FUNCTION tournaments_empty_seats();
"""

TIED = """
DROP TRIGGER tournaments_seats_truncate ON tournaments_pairing;
DROP FUNCTION tournaments_empty_seats();
ALTER TABLE tournaments_seat ADD CONSTRAINT tournaments_seat_pairing_id_fkey
    FOREIGN KEY (pairing_id) REFERENCES tournaments_pairing (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_guards")]
    operations = [migrations.RunSQL(FREE, TIED)]
