// Writes deploy/nats/users.conf and streams.json from the declarations of libs/contracts.
//
// node tools/nats-users.mjs
//
// To replace passwords (docs/operations/rotate.md), write another file with a second user for these apps:
//
//   node tools/nats-users.mjs --next merchant --next gateway --to users.conf
//
// - `--passwords passwords.conf` lets the server read the passwords from that file in the same folder, instead of its
// environment.
// - `--production` omits the sandbox app and calls to it: node tools/nats-users.mjs --production --to users.conf
// - `--upgrading` also permits requests of 0.1.0 apps during a rolling upgrade, because they create their own streams.
// - `--reader analytics=pay-orders,merchant` adds an external program that receives events (docs/events.md).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadProduct, repository } from './docs/product.mjs';
import { runTypedCommand } from './local/command.mjs';
import { declarationsOf, natsUsers, readersOf, renderNatsUsers, renderStreams } from './local/nats-users.mjs';
import { TypingMistake } from './local/problem.mjs';

const usage = `Usage: node tools/nats-users.mjs [--next APP]… [--passwords FILE] [--production] [--upgrading] [--reader NAME=APP,…]… [--to FILE]`;

await runTypedCommand(usage, () => {
  const { values } = parseArgs({
    options: {
      next: { type: 'string', multiple: true, default: [] },
      passwords: { type: 'string' },
      production: { type: 'boolean', default: false },
      upgrading: { type: 'boolean', default: false },
      reader: { type: 'string', multiple: true, default: [] },
      to: { type: 'string' },
    },
  });
  const unknown = values.next.filter((user) => !natsUsers.includes(user));
  if (unknown.length > 0)
    throw new TypingMistake(`Unknown users: ${unknown.join(', ')}. Use: ${natsUsers.join(', ')}`);

  const { api, bus } = loadProduct();
  const folder = join(repository, 'deploy/nats');
  const options = {
    rotating: values.next,
    ...(values.passwords && { passwordsFile: values.passwords }),
    without: values.production ? ['sandbox'] : [],
    isUpgrading: values.upgrading,
    readers: readersOf(values.reader, api.declaredStreams),
  };
  const users = renderNatsUsers(declarationsOf(api), options);
  writeFileSync(values.to ?? join(folder, 'users.conf'), users);
  if (values.to === undefined) writeFileSync(join(folder, 'streams.json'), renderStreams(api, bus));
});
