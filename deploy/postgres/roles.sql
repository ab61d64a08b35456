-- Least privilege in one database: each service has a schema of its own, one role that owns it (migrations) and one that
-- works in it (the running app). Safe to repeat; each run sets the passwords again.
--
--   POSTGRES_PAY_ORDERS_PASSWORD=… POSTGRES_PAY_ORDERS_OWNER_PASSWORD=… … psql -X -v ON_ERROR_STOP=1 -d postgres -f roles.sql
--
-- Passwords come from the environment, since arguments are visible to every user of the machine.
\set QUIET on
\set VERBOSITY terse
\pset tuples_only on
\pset format unaligned

-- A statement that fails would otherwise stand in the server's log with its password.
SET log_min_error_statement = panic;
SET log_statement = none;
SET client_min_messages = warning;
SET password_encryption = 'scram-sha-256';

CREATE TEMPORARY TABLE service (schema_name text PRIMARY KEY, password text NOT NULL, owner_password text NOT NULL);
\set password `printf %s "$POSTGRES_TX_ENGINE_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_TX_ENGINE_OWNER_PASSWORD"`
INSERT INTO service VALUES ('tx_engine', :'password', :'owner_password');
\set password `printf %s "$POSTGRES_PAY_ORDERS_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_PAY_ORDERS_OWNER_PASSWORD"`
INSERT INTO service VALUES ('pay_orders', :'password', :'owner_password');
\set password `printf %s "$POSTGRES_MERCHANT_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_MERCHANT_OWNER_PASSWORD"`
INSERT INTO service VALUES ('merchant', :'password', :'owner_password');
\set password `printf %s "$POSTGRES_SERVICE_API_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_SERVICE_API_OWNER_PASSWORD"`
INSERT INTO service VALUES ('service_api', :'password', :'owner_password');
\set password `printf %s "$POSTGRES_NANOPAY_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_NANOPAY_OWNER_PASSWORD"`
INSERT INTO service VALUES ('nanopay', :'password', :'owner_password');
\set password `printf %s "$POSTGRES_TEE_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_TEE_OWNER_PASSWORD"`
INSERT INTO service VALUES ('tee', :'password', :'owner_password');
\set password `printf %s "$POSTGRES_SANDBOX_PASSWORD"`
\set owner_password `printf %s "$POSTGRES_SANDBOX_OWNER_PASSWORD"`
INSERT INTO service VALUES ('sandbox', :'password', :'owner_password');

-- With `-v production=on` there is no sandbox schema and no role of it.
\if :{?production}
DELETE FROM service WHERE schema_name = 'sandbox';
\endif

-- An empty password would be set as "no password"; better to stop here and name what is missing.
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

SELECT format('CREATE ROLE %I', role_name)
FROM service, LATERAL (VALUES (schema_name), (schema_name || '_owner')) AS wanted (role_name)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name)
\gexec

SELECT format('ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT PASSWORD %L', role_name, secret)
FROM service, LATERAL (VALUES (schema_name, password), (schema_name || '_owner', owner_password)) AS wanted (role_name, secret)
\gexec

-- Unqualified names mean the own schema, also for a connection that forgot to say so.
SELECT format('ALTER ROLE %I SET search_path = %I', role_name, schema_name)
FROM service, LATERAL (VALUES (schema_name), (schema_name || '_owner')) AS wanted (role_name)
\gexec

-- A running app answers within seconds; a statement or a forgotten transaction may not hold rows longer than that.
-- Migrations have no such bound: they may have to rewrite a large table.
SELECT format('ALTER ROLE %I SET %s = %L', schema_name, setting, '10s')
FROM service, LATERAL (VALUES ('statement_timeout'), ('idle_in_transaction_session_timeout')) AS bound (setting)
\gexec

-- A plan that was made while a table was empty reads all of it, and a prepared statement keeps it until the table is next
-- analysed: minutes in which it has grown. Planning again costs less than that, and requests share their statements.
SELECT format('ALTER ROLE %I SET plan_cache_mode = force_custom_plan', schema_name) FROM service
\gexec

SELECT 'CREATE DATABASE tollbridge' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'tollbridge')
\gexec

-- PUBLIC may connect to every database by default.
SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', datname) FROM pg_database WHERE datname IN ('tollbridge', 'postgres', 'template1')
\gexec
SELECT format('GRANT CONNECT ON DATABASE tollbridge TO %I, %I', schema_name, schema_name || '_owner') FROM service
\gexec

-- The statements for inside the database are made here, where the list of services is: a new connection cannot see it.
SELECT string_agg(statement, E';\n' ORDER BY schema_name, step) AS statements
FROM service, LATERAL (VALUES
  (1, format('CREATE SCHEMA IF NOT EXISTS %I', schema_name)),
  (2, format('ALTER SCHEMA %I OWNER TO %I', schema_name, schema_name || '_owner')),
  (3, format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', schema_name)),
  (4, format('GRANT USAGE ON SCHEMA %I TO %I', schema_name, schema_name)),
  (5, format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO %I',
             schema_name || '_owner', schema_name, schema_name)),
  (6, format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT USAGE ON SEQUENCES TO %I',
             schema_name || '_owner', schema_name, schema_name))) AS work (step, statement)
\gset

\connect tollbridge
SET client_min_messages = warning;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
:statements;
