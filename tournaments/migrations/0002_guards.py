"""What the tables cannot say by themselves: one seat an entry a round, and an audit log that only grows."""

from django.db import migrations

SEATS = """
CREATE TABLE tournaments_seat (
    round_id bigint NOT NULL,
    entry_id bigint NOT NULL,
    pairing_id bigint NOT NULL REFERENCES tournaments_pairing (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT one_board_of_an_entry UNIQUE (round_id, entry_id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX tournaments_seat_pairing ON tournaments_seat (pairing_id);

CREATE FUNCTION tournaments_take_seats() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM tournaments_seat WHERE pairing_id = OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO tournaments_seat (round_id, entry_id, pairing_id) VALUES (NEW.round_id, NEW.white_id, NEW.id);
        IF NEW.black_id IS NOT NULL THEN
            INSERT INTO tournaments_seat (round_id, entry_id, pairing_id) VALUES (NEW.round_id, NEW.black_id, NEW.id);
        END IF;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER tournaments_seats_insert AFTER INSERT OR DELETE ON tournaments_pairing
    FOR EACH ROW EXECUTE FUNCTION tournaments_take_seats();
CREATE TRIGGER tournaments_seats_update AFTER UPDATE OF round_id, white_id, black_id ON tournaments_pairing
    FOR EACH ROW EXECUTE FUNCTION tournaments_take_seats();
"""

UNSEATS = """
DROP TRIGGER tournaments_seats_update ON tournaments_pairing;
DROP TRIGGER tournaments_seats_insert ON tournaments_pairing;
DROP FUNCTION tournaments_take_seats();
DROP TABLE tournaments_seat;
"""

AUDIT = """
CREATE FUNCTION tournaments_audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log only grows: % is refused', TG_OP;
END $$;
CREATE TRIGGER tournaments_audit_guard BEFORE UPDATE OR DELETE ON tournaments_auditentry
    FOR EACH ROW EXECUTE FUNCTION tournaments_audit_only_grows();
"""

UNAUDIT = """
DROP TRIGGER tournaments_audit_guard ON tournaments_auditentry;
DROP FUNCTION tournaments_audit_only_grows();
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]
    operations = [migrations.RunSQL(SEATS, UNSEATS), migrations.RunSQL(AUDIT, UNAUDIT)]
