// Prints a secret for each app and for the operator, and writes the file of their public keys.
//
// node tools/service-identities.mjs FILE
//
// --production omits the sandbox app. It keeps secrets that the environment already contains (<APP>_IDENTITY_SECRET).
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { appNames, prefixOf } from './local/apps.mjs';
import { runTypedCommand } from './local/command.mjs';
import { writeIdentities } from './local/identities.mjs';
import { natsOperator } from './local/nats-users.mjs';
import { TypingMistake } from './local/problem.mjs';

const usage = 'Usage: node tools/service-identities.mjs [--production] identities.json';

await runTypedCommand(usage, () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { production: { type: 'boolean', default: false } },
  });
  const [file] = positionals;
  if (!file) throw new TypingMistake('Name the file to write.');

  /** @param {string} app */
  const variableOf = (app) => `${prefixOf(app)}_IDENTITY_SECRET`;
  const apps = appNames.filter((app) => app !== 'sandbox' || !values.production);
  const secrets = Object.fromEntries(
    [...apps, natsOperator].map((app) => [
      app,
      process.env[variableOf(app)] || randomBytes(32).toString('base64url'),
    ]),
  );
  writeIdentities(file, secrets);
  for (const [app, secret] of Object.entries(secrets))
    if (!process.env[variableOf(app)]) process.stdout.write(`${variableOf(app)}=${secret}\n`);
});
