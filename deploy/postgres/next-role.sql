-- Creates or changes the second login role of a service while a password is replaced (docs/operations/rotate.md). It
-- works as the first role, with its rights and settings, but has its own password. It is safe to repeat.
--
--   ROLE=merchant NEXT_ROLE_PASSWORD=… psql -X -v ON_ERROR_STOP=1 -d postgres -f next-role.sql
\set QUIET on
\set VERBOSITY terse
\pset tuples_only on
\pset format unaligned
SET log_min_error_statement = panic;
SET log_statement = none;
SET client_min_messages = warning;
SET password_encryption = 'scram-sha-256';

\set role `printf %s "$ROLE"`
\set password `printf %s "$NEXT_ROLE_PASSWORD"`
CREATE TEMPORARY TABLE given AS
  SELECT :'role'::text AS role, :'role' || '_next' AS next_role, :'password'::text AS password;

DO $$
BEGIN
  IF (SELECT password FROM given) = '' THEN RAISE EXCEPTION 'NEXT_ROLE_PASSWORD must be set'; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles JOIN given ON rolname = role) THEN
    RAISE EXCEPTION 'ROLE must be a role of this server';
  END IF;
END $$;

SELECT format('CREATE ROLE %I', next_role) FROM given WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = next_role)
\gexec
SELECT format('ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT PASSWORD %L',
  next_role, password) FROM given
\gexec
SELECT format('GRANT %I TO %I', role, next_role) FROM given
\gexec
-- It must not inherit, so that a session works as the first role and all new objects belong to the first role.
SELECT format('ALTER ROLE %I RESET ALL', next_role) FROM given
\gexec
SELECT format('ALTER ROLE %I SET role = %L', next_role, role) FROM given
\gexec
-- PostgreSQL applies the settings of the login role, not those of the role that it works as.
SELECT format('ALTER ROLE %I SET %I = %s', next_role, split_part(setting, '=', 1),
  CASE WHEN split_part(setting, '=', 1) = 'search_path' THEN substr(setting, strpos(setting, '=') + 1)
    ELSE quote_literal(substr(setting, strpos(setting, '=') + 1)) END)
FROM given JOIN pg_roles ON rolname = role
JOIN pg_db_role_setting ON setrole = pg_roles.oid AND setdatabase = 0, unnest(setconfig) AS setting
\gexec
SELECT format('GRANT CONNECT ON DATABASE tollbridge TO %I', next_role) FROM given
\gexec
