"""The events of a turn are numbered without gaps, and a model is reached over HTTP.

A browser asks for what comes after event k; a gap would look like something that it missed. Events that have gaps
already are numbered anew. An event is added after its predecessor, checked at once; one may go only with those after
it, checked when the transaction ends, since a turn's events are deleted in any order.
"""

from django.db import migrations, models

RENUMBER = r"""
UPDATE chat_turnevent SET seq = seq + 1000000 WHERE turn_id IN (
    SELECT turn_id FROM chat_turnevent GROUP BY turn_id HAVING max(seq) <> count(*)
);
UPDATE chat_turnevent SET seq = numbered.place FROM (
    SELECT id, row_number() OVER (PARTITION BY turn_id ORDER BY seq) AS place FROM chat_turnevent
) AS numbered WHERE numbered.id = chat_turnevent.id AND seq > 1000000;
UPDATE chat_turn SET last_event = counted.events FROM (
    SELECT turn_id, count(*) AS events FROM chat_turnevent GROUP BY turn_id
) AS counted WHERE counted.turn_id = chat_turn.id AND last_event <> counted.events;
"""

GAPS = r"""
CREATE FUNCTION chat_check_event_follows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq > 1 AND NOT EXISTS (
        SELECT FROM chat_turnevent WHERE turn_id = NEW.turn_id AND seq = NEW.seq - 1
    ) THEN
        RAISE EXCEPTION 'chat_event_follows_another: event % of turn % has no event before it', NEW.seq, NEW.turn_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'chat_event_follows_another';
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION chat_check_event_is_last() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM chat_turnevent WHERE turn_id = OLD.turn_id AND seq = OLD.seq + 1)
    AND NOT EXISTS (SELECT FROM chat_turnevent WHERE turn_id = OLD.turn_id AND seq = OLD.seq) THEN
        RAISE EXCEPTION 'chat_event_is_last: event % of turn % is missing before another', OLD.seq, OLD.turn_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'chat_event_is_last';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER chat_check_event_follows AFTER INSERT OR UPDATE OF seq, turn_id
    ON chat_turnevent FOR EACH ROW EXECUTE FUNCTION chat_check_event_follows();
CREATE CONSTRAINT TRIGGER chat_check_event_is_last AFTER DELETE OR UPDATE OF seq, turn_id
    ON chat_turnevent DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chat_check_event_is_last();
"""

NO_GAPS = r"""
DROP TRIGGER chat_check_event_is_last ON chat_turnevent;
DROP TRIGGER chat_check_event_follows ON chat_turnevent;
DROP FUNCTION chat_check_event_is_last();
DROP FUNCTION chat_check_event_follows();
"""

HTTP = r"^https?://[^\s/?#]\S*$"


def forget_servers_that_are_none(apps, schema_editor):
    """The choice before it counts again."""
    choices = apps.get_model("chat", "ModelChoice").objects
    choices.exclude(base_url="").exclude(base_url__iregex=HTTP).delete()


class Migration(migrations.Migration):
    dependencies = [("chat", "0003_notes")]

    operations = [
        migrations.RunSQL(RENUMBER, migrations.RunSQL.noop, elidable=True),
        migrations.RunSQL(GAPS, NO_GAPS),
        migrations.RunPython(forget_servers_that_are_none, migrations.RunPython.noop, elidable=True),
        migrations.AddConstraint(
            model_name="modelchoice",
            constraint=models.CheckConstraint(
                condition=models.Q(("base_url", ""), ("base_url__iregex", HTTP), _connector="OR"),
                name="chat_choice_is_of_the_web",
                violation_error_message="base_url does not start with http:// or https://, or has a space in it.",
            ),
        ),
    ]
