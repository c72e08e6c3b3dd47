"""No half hour of a restaurant, and no offering of a course, takes more people than it has room for.

The services look first and refuse in words; these triggers are for everybody who does not. Each locks the row that
all who want the same room have to pass, so of two that come at once the second sees what the first has taken.
"""

from django.db import migrations

SEATS = r"""
CREATE FUNCTION effects_check_seats() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    room integer;
    fullest integer;
    starts timestamp := NEW.date + NEW.time;
    ends timestamp := starts + NEW.stay * interval '1 minute';
BEGIN
    IF NEW.status <> 'booked' OR NEW.restaurant_id IS NULL THEN
        RETURN NEW;
    END IF;
    SELECT seats INTO room FROM effects_seating WHERE restaurant_id = NEW.restaurant_id FOR UPDATE;
    IF room IS NULL THEN
        RAISE EXCEPTION 'restaurant % has no seating', NEW.restaurant_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'effects_restaurant_has_a_seating';
    END IF;
    SELECT max(people) INTO fullest FROM (
        SELECT half, sum(other.party) AS people
        FROM generate_series(
            date_bin('30 minutes', starts, timestamp '2000-01-01'), ends - interval '1 second', interval '30 minutes'
        ) AS half
        JOIN effects_reservation AS other
            ON other.restaurant_id = NEW.restaurant_id AND other.status = 'booked' AND other.id IS DISTINCT FROM NEW.id
            AND other.date BETWEEN NEW.date - 1 AND NEW.date + 1
            AND other.date + other.time < half + interval '30 minutes'
            AND other.date + other.time + other.stay * interval '1 minute' > half
        GROUP BY half
    ) AS taken;
    IF coalesce(fullest, 0) + NEW.party > room THEN
        RAISE EXCEPTION 'restaurant % has no room for % more at %', NEW.restaurant_id, NEW.party, starts
            USING ERRCODE = 'check_violation', CONSTRAINT = 'effects_restaurant_has_room';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER effects_check_seats BEFORE INSERT OR UPDATE OF date, time, stay, party, status, restaurant_id
    ON effects_reservation FOR EACH ROW EXECUTE FUNCTION effects_check_seats();
"""
NO_SEATS = "DROP TRIGGER effects_check_seats ON effects_reservation; DROP FUNCTION effects_check_seats();"

PLACES = r"""
CREATE FUNCTION effects_check_places() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    places integer;
    taken integer;
BEGIN
    IF NEW.status <> 'enrolled' OR NEW.offering_id IS NULL THEN
        RETURN NEW;
    END IF;
    SELECT capacity - coalesce(enrolled, 0) INTO places
        FROM corpora_offering WHERE offering_id = NEW.offering_id FOR UPDATE;
    SELECT count(*) INTO taken FROM effects_enrollment
        WHERE offering_id = NEW.offering_id AND year = NEW.year AND status = 'enrolled' AND id IS DISTINCT FROM NEW.id;
    IF taken >= places THEN
        RAISE EXCEPTION 'offering % has no place left in %', NEW.offering_id, NEW.year
            USING ERRCODE = 'check_violation', CONSTRAINT = 'effects_offering_has_a_place';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER effects_check_places BEFORE INSERT OR UPDATE OF status, offering_id, year
    ON effects_enrollment FOR EACH ROW EXECUTE FUNCTION effects_check_places();
"""
NO_PLACES = "DROP TRIGGER effects_check_places ON effects_enrollment; DROP FUNCTION effects_check_places();"


class Migration(migrations.Migration):
    dependencies = [("effects", "0001_effects"), ("corpora", "0002_tables")]
    operations = [
        migrations.RunSQL(SEATS, NO_SEATS),
        migrations.RunSQL(PLACES, NO_PLACES),
    ]
