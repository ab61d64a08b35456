import { renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Writes the public keys that belong to the identity secrets of the apps (SERVICE_IDENTITIES_FILE).
 * @param {string} file
 * @param {Record<string, string>} secrets by app; two secrets are separated by a comma
 */
export function writeIdentities(file, secrets) {
  // Imported here, because it must be built first in a fresh clone.
  const { identityPublicKey } = createRequire(import.meta.url)('@tollbridge/rpc');
  const keys = Object.entries(secrets).map(([app, text]) => [app, text.split(',').map(identityPublicKey)]);
  writeFileSync(`${file}.new`, `${JSON.stringify(Object.fromEntries(keys), null, 2)}\n`);
  renameSync(`${file}.new`, file);
}
