#!/bin/sh
# Writes .env beside docker-compose.yml: a random password for every variable that the file asks for. Existing ones
# stay.
set -eu
cd "$(dirname "$0")/../.."
umask 077
touch .env

grep -oE '\$\{[A-Z_]+_(PASSWORD|PEPPER|IDENTITY_SECRET):\?' docker-compose.yml | tr -d '${:?' | sort -u |
  while read -r name; do
  grep -q "^$name=" .env && continue
  # Letters and digits need no quoting anywhere; NATS reads a value that starts with a digit as a number, hence the
  # letter.
  echo "$name=p$(od -An -N20 -tx1 /dev/urandom | tr -d ' \n')" >> .env
done
echo "Passwords are in $(pwd)/.env. Now: docker compose up"
