"""The role `hybridchat_reader`: it can log in, read the views of `kb`, and nothing else.

A role belongs to the whole server, so another database may have made it already; its rights belong to this database.
It must hold when a query reaches PostgreSQL unchecked. Inside a READ ONLY transaction `lo_create` still writes,
`query_to_xml` runs SQL, `set_config` lifts the role's limits. So here nobody but the owner of the database may

- run functions of PostgreSQL's own that have effects (all volatile ones but the clocks and random numbers), that run
  SQL, or that look into the server;
- read the system catalogues, but for the types that drivers look up;
- write code in plpgsql, or make temporary tables.

Only a superuser can change rights on PostgreSQL's own functions. For anybody else that part has no effect, and the
check `corpora.W001` says so (docs/curators.md).
"""

from django.core.exceptions import ImproperlyConfigured
from django.db import migrations

READER = "hybridchat_reader"

# Databases of one server migrate side by side (tests do), hence the second way to find the role there.
CREATE_ROLE = f"""
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{READER}') THEN
        CREATE ROLE {READER} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$
"""

# Limits are kept per database and are a second line only: a session can lift its own.
LIMITS = {
    "default_transaction_read_only": "on",
    "statement_timeout": "30s",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "60s",
    "search_path": "kb, public",
}

GRANTS = f"""
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, {READER};
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA kb TO {READER};
GRANT SELECT ON ALL TABLES IN SCHEMA kb TO {READER};
REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC;
GRANT USAGE ON LANGUAGE plpgsql TO pg_database_owner;
"""

DANGEROUS = r"""
    SELECT p.oid::regprocedure AS signature, i.initprivs IS NULL AS was_public
    FROM pg_proc p LEFT JOIN pg_init_privs i ON i.objoid = p.oid AND i.classoid = 'pg_proc'::regclass
    WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind IN ('f', 'p')
    AND (
        (p.provolatile = 'v'
            AND p.proname !~ '^(random|random_normal|setseed|gen_random_uuid|uuidv[47]|clock_timestamp|timeofday)$')
        OR p.proname ~ '_to_xml(_and_xmlschema|schema)?$'
        OR p.proname ~ '^(lo_|pg_sleep|pg_get_|pg_stat_|pg_show_|pg_ls_|pg_read_|pg_advisory|pg_try_advisory|pg_hba_|pg_ident_)'
        OR p.proname ~ '^(inet_(client|server)_|pg_conf_load_time|pg_postmaster_start_time|pg_listening_channels|pg_config)'
    )
    AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype, 'language_handler'::regtype,
        'fdw_handler'::regtype, 'index_am_handler'::regtype, 'table_am_handler'::regtype, 'tsm_handler'::regtype)
"""

CATALOGUES = """
    SELECT c.oid::regclass AS name FROM pg_class c
    WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind IN ('r', 'v')
    AND c.relname NOT IN ('pg_type', 'pg_range', 'pg_enum', 'pg_namespace')
    AND {condition}
"""

HARDEN = f"""
DO $$ DECLARE thing record; BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN RETURN; END IF;
    FOR thing IN {DANGEROUS} LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', thing.signature);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO pg_database_owner', thing.signature);
    END LOOP;
    FOR thing IN {CATALOGUES.format(condition="has_table_privilege('" + READER + "', c.oid, 'SELECT')")} LOOP
        EXECUTE format('GRANT SELECT ON %s TO pg_database_owner', thing.name);
        EXECUTE format('REVOKE SELECT ON %s FROM PUBLIC', thing.name);
    END LOOP;
END $$
"""

SOFTEN = f"""
DO $$ DECLARE thing record; BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN RETURN; END IF;
    FOR thing IN {DANGEROUS} LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM pg_database_owner', thing.signature);
        IF thing.was_public THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO PUBLIC', thing.signature);
        END IF;
    END LOOP;
    FOR thing IN {CATALOGUES.format(condition="has_table_privilege('pg_database_owner', c.oid, 'SELECT')")} LOOP
        EXECUTE format('GRANT SELECT ON %s TO PUBLIC', thing.name);
        EXECUTE format('REVOKE SELECT ON %s FROM pg_database_owner', thing.name);
    END LOOP;
END $$
"""

UNGRANT = f"""
GRANT USAGE ON LANGUAGE plpgsql TO PUBLIC;
REVOKE USAGE ON LANGUAGE plpgsql FROM pg_database_owner;
REVOKE SELECT ON ALL TABLES IN SCHEMA kb FROM {READER};
REVOKE USAGE ON SCHEMA kb FROM {READER};
"""


def create(apps, schema_editor):
    """Make the role where it is missing, and give it its rights in this database."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        if not _may_create_roles(cursor) and not _exists(cursor):
            raise ImproperlyConfigured(
                f"The database user may not create roles. Let an administrator run CREATE ROLE {READER} LOGIN, "
                "then migrate again."
            )
        if _may_create_roles(cursor):
            cursor.execute(CREATE_ROLE)
        cursor.execute(GRANTS)
        database = connection.ops.quote_name(connection.settings_dict["NAME"])
        cursor.execute(f"REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC")
        cursor.execute(f"GRANT TEMPORARY ON DATABASE {database} TO pg_database_owner")
        cursor.execute(f"GRANT CONNECT ON DATABASE {database} TO {READER}")
        if _may_create_roles(cursor):
            for name, value in LIMITS.items():
                setting = value if name == "search_path" else f"'{value}'"
                cursor.execute(f"ALTER ROLE {READER} IN DATABASE {database} SET {name} = {setting}")
        cursor.execute(HARDEN)


def remove(apps, schema_editor):
    """Take the rights back. The role stays: other databases of the server may use it."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        cursor.execute(SOFTEN)
        cursor.execute(UNGRANT)
        database = connection.ops.quote_name(connection.settings_dict["NAME"])
        cursor.execute(f"REVOKE TEMPORARY ON DATABASE {database} FROM pg_database_owner")
        cursor.execute(f"GRANT TEMPORARY ON DATABASE {database} TO PUBLIC")
        cursor.execute(f"REVOKE CONNECT ON DATABASE {database} FROM {READER}")
        if _may_create_roles(cursor):
            cursor.execute(f"ALTER ROLE {READER} IN DATABASE {database} RESET ALL")


def _may_create_roles(cursor) -> bool:
    cursor.execute("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    return bool(cursor.fetchone()[0])


def _exists(cursor) -> bool:
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [READER])
    return cursor.fetchone() is not None


class Migration(migrations.Migration):
    dependencies = [("corpora", "0003_knowledge_schema")]
    operations = [migrations.RunPython(create, remove)]
