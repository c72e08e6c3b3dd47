"""What the tables stand on: pgvector, and the function that turns opening hours into minutes of the week."""

from django.db import migrations
from pgvector.django import VectorExtension

# Immutable, because a generated column is computed with it; plpgsql, because a malformed time must be an error.
OPEN_MINUTES = r"""
CREATE FUNCTION corpora_open_minutes(hours jsonb) RETURNS int4multirange
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog
AS $$
DECLARE
    days constant text[] := '{mon,tue,wed,thu,fri,sat,sun}';
    week constant int := 7 * 1440;
    day record;
    stretch jsonb;
    opens int;
    closes int;
    open int4multirange := '{}';
BEGIN
    IF jsonb_typeof(hours) <> 'object' THEN
        RAISE EXCEPTION 'opening hours are not an object of days' USING ERRCODE = 'check_violation';
    END IF;
    FOR day IN SELECT key, value FROM jsonb_each(hours) LOOP
        IF day.key <> ALL (days) THEN
            RAISE EXCEPTION 'opening hours: % is not one of mon … sun', day.key USING ERRCODE = 'check_violation';
        END IF;
        IF jsonb_typeof(day.value) <> 'array' THEN
            RAISE EXCEPTION 'opening hours of % are not a list', day.key USING ERRCODE = 'check_violation';
        END IF;
        FOR stretch IN SELECT value FROM jsonb_array_elements(day.value) LOOP
            IF NOT coalesce(
                jsonb_typeof(stretch) = 'array' AND jsonb_array_length(stretch) = 2
                AND stretch ->> 0 ~ '^([01]\d|2[0-3]):[0-5]\d$' AND stretch ->> 1 ~ '^(([01]\d|2[0-3]):[0-5]\d|24:00)$',
                false
            ) THEN
                RAISE EXCEPTION 'opening hours of %: % is not ["HH:MM", "HH:MM"]', day.key, stretch
                    USING ERRCODE = 'check_violation';
            END IF;
            opens := split_part(stretch ->> 0, ':', 1)::int * 60 + split_part(stretch ->> 0, ':', 2)::int;
            closes := split_part(stretch ->> 1, ':', 1)::int * 60 + split_part(stretch ->> 1, ':', 2)::int;
            IF closes <= opens THEN
                closes := closes + 1440;
            END IF;
            opens := opens + (array_position(days, day.key) - 1) * 1440;
            closes := closes + (array_position(days, day.key) - 1) * 1440;
            open := open + int4multirange(int4range(opens, least(closes, week)));
            IF closes > week THEN
                open := open + int4multirange(int4range(0, closes - week));
            END IF;
        END LOOP;
    END LOOP;
    RETURN open;
END
$$
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        VectorExtension(),
        migrations.RunSQL(OPEN_MINUTES, "DROP FUNCTION corpora_open_minutes(jsonb)"),
    ]
