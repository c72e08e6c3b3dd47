"""Functions that pad and fill are not for the reader: `format`, `lpad`, `rpad` and `array_fill`.

Asked for a width of a thousand million they write it letter by letter, for seconds, and meanwhile look neither at
`statement_timeout` nor at a request to cancel. No setting of a role bounds that: `work_mem` is about sorting, and a
timeout is noticed only where PostgreSQL looks for it. The language has none of these functions, so the reader, whose
queries might come unchecked, need not run them. (`repeat` does look, at every repetition.)

Only a superuser can change rights on PostgreSQL's own functions; for anybody else this has no effect, as in 0004.
"""

from django.db import migrations

PADDING = """
    SELECT p.oid::regprocedure AS signature FROM pg_proc p
    WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname IN ('format', 'lpad', 'rpad', 'array_fill')
"""
_EACH = """
DO $$ DECLARE thing record; BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN RETURN; END IF;
    FOR thing IN {padding} LOOP
        EXECUTE '{grant} ON FUNCTION ' || thing.signature || ' TO {gains}';
        EXECUTE '{revoke} ON FUNCTION ' || thing.signature || ' FROM {loses}';
    END LOOP;
END $$
"""
_WORDS = {"padding": PADDING, "grant": "GRANT EXECUTE", "revoke": "REVOKE EXECUTE"}
HARDEN = _EACH.format(**_WORDS, gains="pg_database_owner", loses="PUBLIC")
SOFTEN = _EACH.format(**_WORDS, gains="PUBLIC", loses="pg_database_owner")


class Migration(migrations.Migration):
    dependencies = [("corpora", "0009_tickets_have_moved")]
    operations = [migrations.RunSQL(HARDEN, SOFTEN)]
