// Writes deploy/nats/users.conf from the calls that the apps declare: node tools/nats-users.mjs
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProduct, repository } from './docs/product.mjs';
import { callSubjects, renderNatsUsers } from './local/nats-users.mjs';

const { api } = loadProduct();
writeFileSync(join(repository, 'deploy/nats/users.conf'), renderNatsUsers(callSubjects(api.appCalls)));
