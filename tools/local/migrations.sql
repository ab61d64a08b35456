-- The executed migrations of each schema, with one line `schema|timestamp` for each. For tools/local/migrations.mjs.
SELECT format('SELECT %L, "timestamp" FROM %I.migrations', table_schema, table_schema)
FROM information_schema.tables
WHERE table_name = 'migrations'
\gexec
