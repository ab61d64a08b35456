-- Least privilege in one database. Each service has its own schema and two roles. One role owns the schema
-- (migrations), and the other uses it (the running app). It is safe to repeat; each run sets the passwords and limits
-- again.
--
--   POSTGRES_PAY_ORDERS_PASSWORD=… POSTGRES_PAY_ORDERS_OWNER_PASSWORD=… … psql -X -v ON_ERROR_STOP=1 -d postgres -f
--   roles.sql
--
-- Passwords come from the environment, because arguments are visible to every user of the machine. Run it as a
-- superuser, or on a managed server as a role with CREATEROLE and CREATEDB. docs/operations/postgresql.md describes the
-- differences.
\set QUIET on
\set VERBOSITY terse
\pset tuples_only on
\pset format unaligned

SELECT rolsuper AS is_superuser FROM pg_roles WHERE rolname = current_user
\gset
\if :is_superuser
-- Otherwise, the server would log a failed statement with its password.
SET log_min_error_statement = panic;
SET log_statement = none;
\endif
SET client_min_messages = warning;
SET password_encryption = 'scram-sha-256';

-- `connections` limits the runtime role. It is the largest number of replicas, plus one during an update, times the
-- pool size of each. The sum of all rows must not exceed max_connections of postgresql.conf
-- (tools/checks/connection-budget.test.mjs). `optional`: without passwords, the role and the schema are not created.
CREATE TEMPORARY TABLE service (schema_name text PRIMARY KEY, password text NOT NULL, owner_password text NOT NULL,
  connections int NOT NULL CHECK (connections > 0), optional boolean NOT NULL DEFAULT false);
\set password `printf %s "$POSTGRES_TX_ENGINE_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_TX_ENGINE_OWNER_PASSWORD"`
\set connections `printf %s "${POSTGRES_TX_ENGINE_CONNECTIONS:-40}"`
INSERT INTO service VALUES ('tx_engine', :'password', :'owner_password', :'connections');
\set password `printf %s "$POSTGRES_PAY_ORDERS_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_PAY_ORDERS_OWNER_PASSWORD"`
\set connections `printf %s "${POSTGRES_PAY_ORDERS_CONNECTIONS:-50}"`
INSERT INTO service VALUES ('pay_orders', :'password', :'owner_password', :'connections');
\set password `printf %s "$POSTGRES_MERCHANT_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_MERCHANT_OWNER_PASSWORD"`
\set connections `printf %s "${POSTGRES_MERCHANT_CONNECTIONS:-50}"`
INSERT INTO service VALUES ('merchant', :'password', :'owner_password', :'connections');
\set password `printf %s "$POSTGRES_SERVICE_API_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_SERVICE_API_OWNER_PASSWORD"`
\set connections `printf %s "${POSTGRES_SERVICE_API_CONNECTIONS:-40}"`
INSERT INTO service VALUES ('service_api', :'password', :'owner_password', :'connections');
\set password `printf %s "$POSTGRES_NANOPAY_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_NANOPAY_OWNER_PASSWORD"`
\set connections `printf %s "${POSTGRES_NANOPAY_CONNECTIONS:-40}"`
INSERT INTO service VALUES ('nanopay', :'password', :'owner_password', :'connections', true);
\set password `printf %s "$POSTGRES_TEE_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_TEE_OWNER_PASSWORD"`
\set connections `printf %s "${POSTGRES_TEE_CONNECTIONS:-40}"`
INSERT INTO service VALUES ('tee', :'password', :'owner_password', :'connections');
\set password `printf %s "$POSTGRES_SANDBOX_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_SANDBOX_OWNER_PASSWORD"`
\set connections `printf %s "${POSTGRES_SANDBOX_CONNECTIONS:-20}"`
INSERT INTO service VALUES ('sandbox', :'password', :'owner_password', :'connections');

-- With `-v production=on`, the sandbox schema and its roles are not created.
\if :{?production}
DELETE FROM service WHERE schema_name = 'sandbox';
\endif
DELETE FROM service WHERE optional AND password = '' AND owner_password = '';

-- PostgreSQL treats an empty password as "no password". The script stops here and lists the missing variables instead.
DO $$
DECLARE missing text;
BEGIN
  SELECT string_agg(name, ', ') INTO missing
  FROM service, LATERAL (VALUES
    ('POSTGRES_' || upper(schema_name) || '_PASSWORD', password),
    ('POSTGRES_' || upper(schema_name) || '_OWNER_PASSWORD', owner_password)) AS given (name, value)
  WHERE value = '';
  IF missing IS NOT NULL THEN RAISE EXCEPTION 'These variables must be set: %', missing; END IF;
END $$;

-- A migration needs two connections, and a second job that waits needs a third one.
CREATE TEMPORARY TABLE role AS
SELECT role_name, secret, connections, is_runtime, schema_name FROM (
  SELECT schema_name AS role_name, password AS secret, connections, true AS is_runtime, schema_name FROM service
  UNION ALL SELECT schema_name || '_owner', owner_password, 3, false, schema_name FROM service) AS wanted;

SELECT format('CREATE ROLE %I', role_name) FROM role
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name)
\gexec

-- Only a superuser may set the attributes of superusers. For other users, it is an error if a role has one.
SELECT format('ALTER ROLE %I LOGIN NOCREATEDB NOCREATEROLE NOINHERIT %s CONNECTION LIMIT %s PASSWORD %L', role_name,
  CASE WHEN :'is_superuser' THEN 'NOSUPERUSER NOREPLICATION NOBYPASSRLS' END, connections, secret)
FROM role
\gexec
DO $$
DECLARE mighty text;
BEGIN
  SELECT string_agg(rolname, ', ') INTO mighty FROM pg_roles JOIN role ON role_name = rolname
  WHERE rolsuper OR rolreplication OR rolbypassrls;
  IF mighty IS NOT NULL THEN
    RAISE EXCEPTION 'These roles may do more than work in a schema: %. Run roles.sql as a superuser.', mighty;
  END IF;
END $$;

-- Unqualified names refer to the role's own schema, even if a connection does not set the search path.
SELECT format('ALTER ROLE %I SET search_path = %I', role_name, schema_name) FROM role
\gexec

-- A running app replies within seconds, so statements, lock waits and idle transactions are limited. Statements of
-- migrations are not limited, because they may have to rewrite a large table.
SELECT format('ALTER ROLE %I SET %s = %L', role_name, setting, value)
FROM role, LATERAL (VALUES
  ('statement_timeout', CASE WHEN is_runtime THEN '10s' ELSE '0' END),
  ('lock_timeout', CASE WHEN is_runtime THEN '5s' ELSE '1min' END),
  ('idle_in_transaction_session_timeout', CASE WHEN is_runtime THEN '10s' ELSE '1min' END)) AS bound (setting, value)
\gexec

-- A plan that was made for an empty table reads the complete table. A prepared statement keeps this plan until the
-- table is analysed again, and the table may have grown until then. Planning again costs less, and requests share their
-- statements.
SELECT format('ALTER ROLE %I SET plan_cache_mode = force_custom_plan', schema_name) FROM service
\gexec

\if :is_superuser
-- Limits the disk space of sorts for each connection. A role cannot raise this limit itself.
SELECT format('ALTER ROLE %I SET temp_file_limit = %L', role_name, '256MB') FROM role WHERE is_runtime
\gexec
\endif

SELECT 'CREATE DATABASE tollbridge' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'tollbridge')
\gexec

-- By default, PUBLIC may connect to every database and create temporary tables in it.
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', datname) FROM pg_database
WHERE datname IN ('tollbridge', 'postgres', 'template1') AND pg_has_role(datdba, 'MEMBER')
\gexec
SELECT format('GRANT CONNECT ON DATABASE tollbridge TO %I', role_name) FROM role
\gexec

-- These statements run inside the database. They are generated here, because a new connection cannot see the list of
-- services. If the current role is not a superuser, it becomes a member of each owner until the statements are done.
SELECT string_agg(statement, E';\n' ORDER BY schema_name, step) AS statements
FROM service, LATERAL (VALUES
  (0, CASE WHEN NOT :'is_superuser' THEN format('GRANT %I TO CURRENT_USER', schema_name || '_owner') END),
  (1, format('CREATE SCHEMA IF NOT EXISTS %I', schema_name)),
  (2, format('ALTER SCHEMA %I OWNER TO %I', schema_name, schema_name || '_owner')),
  (3, format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', schema_name)),
  (4, format('GRANT USAGE ON SCHEMA %I TO %I', schema_name, schema_name)),
  (5, format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I',
             schema_name || '_owner', schema_name, schema_name)),
  (6, format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT USAGE ON SEQUENCES TO %I',
             schema_name || '_owner', schema_name, schema_name)),
  (7, CASE WHEN NOT :'is_superuser' THEN format('REVOKE %I FROM CURRENT_USER', schema_name || '_owner') END))
  AS work (step, statement)
\gset

\connect tollbridge
SET client_min_messages = warning;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
:statements;

-- PUBLIC may call these functions, but no app needs them: advisory locks, large objects, notifications, and messages in
-- the WAL. All roles share the memory for locks. While a release from before row locks also runs, use `-v
-- advisory_locks=on`.
\if :is_superuser
\set keeps_locks false
\if :{?advisory_locks}
\set keeps_locks :advisory_locks
\endif
SELECT format(CASE WHEN is_lock AND :'keeps_locks' THEN 'GRANT EXECUTE ON FUNCTION %s TO PUBLIC'
                   ELSE 'REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC' END, oid::regprocedure)
FROM pg_proc, LATERAL (SELECT proname ~ '^pg_(try_)?advisory_' AS is_lock) AS kind
WHERE pronamespace = 'pg_catalog'::regnamespace
  AND (is_lock OR proname ~ '^lo_' OR proname IN ('loread', 'lowrite', 'pg_notify', 'pg_logical_emit_message'))
\gexec
\else
\warn 'roles.sql: only a superuser can bound temporary files and take advisory locks, large objects and notifications from PUBLIC.'
\endif
