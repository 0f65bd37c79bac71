"""The audit log as a chain of hashes. The database links each row when its transaction commits.

At commit, so that the one lock of the chain is held for an instant and after every other lock: no order of locks, no
deadlock. The text that is hashed is spelled in `tournaments.audit.chain` once more, which proves the chain without
trusting these functions.
"""

from django.db import migrations, models

CHAIN = """
CREATE FUNCTION tournaments_audit_text(r tournaments_auditentry, seq bigint, previous_hash text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_array(
        seq, previous_hash, r.id, extract(epoch FROM r.at)::text, r.event_id, r.section_id, r.actor_id, r.actor_name,
        r.address, r.action, r.object_type, r.object_id, r.before, r.after, r.reason
    )::text
$$;

CREATE FUNCTION tournaments_audit_link() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    next_seq bigint;
    last_hash text;
BEGIN
    PERFORM pg_advisory_xact_lock(710001);
    SELECT e.seq + 1, e.hash INTO next_seq, last_hash FROM tournaments_auditentry e
        WHERE e.seq IS NOT NULL ORDER BY e.seq DESC LIMIT 1;
    next_seq := coalesce(next_seq, 1);
    last_hash := coalesce(last_hash, '');
    UPDATE tournaments_auditentry e SET seq = next_seq, previous_hash = last_hash,
        hash = encode(sha256(convert_to(tournaments_audit_text(e, next_seq, last_hash), 'UTF8')), 'hex')
        WHERE e.id = NEW.id;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER tournaments_audit_chain AFTER INSERT ON tournaments_auditentry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tournaments_audit_link();

CREATE FUNCTION tournaments_audit_born_unlinked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.seq := NULL;
    NEW.previous_hash := '';
    NEW.hash := '';
    RETURN NEW;
END $$;
CREATE TRIGGER tournaments_audit_birth BEFORE INSERT ON tournaments_auditentry
    FOR EACH ROW EXECUTE FUNCTION tournaments_audit_born_unlinked();

CREATE OR REPLACE FUNCTION tournaments_audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.hash = '' AND OLD.seq IS NULL AND pg_trigger_depth() > 1
        AND to_jsonb(OLD) - ARRAY['seq', 'previous_hash', 'hash'] = to_jsonb(NEW) - ARRAY['seq', 'previous_hash', 'hash']
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit log only grows: % is refused', TG_OP;
END $$;

CREATE FUNCTION tournaments_audit_never_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A test database is emptied between tests.
    IF current_database() LIKE 'test\\_%' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit log only grows: % is refused', TG_OP;
END $$;
CREATE TRIGGER tournaments_audit_kept BEFORE TRUNCATE ON tournaments_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION tournaments_audit_never_emptied();
"""

UNCHAIN = """
DROP TRIGGER tournaments_audit_kept ON tournaments_auditentry;
DROP FUNCTION tournaments_audit_never_emptied();
DROP TRIGGER tournaments_audit_birth ON tournaments_auditentry;
DROP FUNCTION tournaments_audit_born_unlinked();
DROP TRIGGER tournaments_audit_chain ON tournaments_auditentry;
DROP FUNCTION tournaments_audit_link();
DROP FUNCTION tournaments_audit_text(tournaments_auditentry, bigint, text);
CREATE OR REPLACE FUNCTION tournaments_audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log only grows: % is refused', TG_OP;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_round_numbers")]
    operations = [
        migrations.AddField(
            "auditentry", "seq", models.BigIntegerField(null=True, unique=True, editable=False)
        ),
        migrations.AddField(
            "auditentry", "previous_hash", models.CharField(max_length=64, blank=True, default="", editable=False)
        ),
        migrations.AddField(
            "auditentry", "hash", models.CharField(max_length=64, blank=True, default="", editable=False)
        ),
        migrations.RunSQL(CHAIN, UNCHAIN),
    ]
