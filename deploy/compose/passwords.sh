#!/bin/sh
# Writes .env next to docker-compose.yml, with a random password for every variable that the file requires. Existing
# passwords are not changed.
set -eu
cd "$(dirname "$0")/../.."
umask 077
touch .env

grep -oE '\$\{[A-Z_]+_(PASSWORD|PEPPER|IDENTITY_SECRET):\?' docker-compose.yml | tr -d '${:?' | sort -u |
  while read -r name; do
  grep -q "^$name=" .env && continue
  # Letters and digits need no quoting. NATS would parse a value that starts with a digit as a number, so the password
  # starts with a letter.
  echo "$name=p$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')" >> .env
done
echo "Passwords are in $(pwd)/.env. Now: docker compose up"
