// Writes deploy/nats/users.conf from the calls that the apps declare: node tools/nats-users.mjs
// With --production FILE it writes a file for production instead: without the sandbox app and calls to it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadProduct, repository } from './docs/product.mjs';
import { callSubjects, renderNatsUsers } from './local/nats-users.mjs';

const { values } = parseArgs({ options: { production: { type: 'string' } } });
const calls = callSubjects(loadProduct().api.appCalls);
if (values.production !== undefined)
  writeFileSync(values.production, renderNatsUsers(calls, { without: ['sandbox'] }));
else writeFileSync(join(repository, 'deploy/nats/users.conf'), renderNatsUsers(calls));
