#!/bin/sh
# Prepares the sandbox of docker-compose.yml: database roles, migrations, event streams, contracts. It is safe to
# repeat.
set -eu

echo 'database: roles and schemas'
psql -X -q -v ON_ERROR_STOP=1 -d postgres -f deploy/postgres/roles.sql

echo 'identities: public keys of the apps'
node tools/service-identities.mjs "$SERVICE_IDENTITIES_FILE"

for program in apps/*/dist/migrate.js; do
  node "$program"
done

echo 'NATS: event streams'
node apps/pay-orders/dist/provision-streams.js

echo 'local chains: contracts'
node apps/sandbox/dist/deploy.js
node deploy/compose/publish-sandbox.mjs
