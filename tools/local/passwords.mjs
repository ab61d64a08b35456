import { randomBytes } from 'node:crypto';
import { natsApps, natsOperator, natsUsers } from './nats-users.mjs';

/** Schemas of the database. Each has a runtime role with the same name, and an owner role. */
export const schemas = ['tx_engine', 'pay_orders', 'merchant', 'service_api', 'nanopay', 'tee', 'sandbox'];

/**
 * @typedef {{ postgres: Record<string, string>, nats: Record<string, string>, redis: string, keyPepper: string, identities: Record<string, string> }} Passwords
 */

/**
 * Returns the passwords of the sandbox's servers. They are created once, and only the owner can read the file.
 * @param {import('./directory.mjs').Directory} directory
 * @returns {Passwords}
 */
export function ensurePasswords(directory) {
  const known = directory.readJson('passwords.json') ?? {};
  const roles = ['postgres', ...schemas.flatMap((schema) => [schema, `${schema}_owner`])];
  /** @type {Passwords} */
  const passwords = {
    postgres: fill(known.postgres, roles),
    nats: fill(known.nats, natsUsers),
    redis: known.redis ?? randomPassword(),
    // Apps and the operator sign calls with these secrets.
    identities: fill(known.identities, [...Object.keys(natsApps), natsOperator]),
    // The key of the HMAC over API secrets.
    keyPepper: known.keyPepper ?? randomPassword(),
  };
  directory.writeJson('passwords.json', passwords);
  return passwords;
}

/** @param {Record<string, string> | undefined} known @param {string[]} names */
const fill = (known, names) =>
  Object.fromEntries(names.map((name) => [name, known?.[name] ?? randomPassword()]));

// Letters and digits need no quoting. NATS would parse a value that starts with a digit as a number, so the password
// starts with a letter.
const randomPassword = () => `p${randomBytes(20).toString('hex')}`;
