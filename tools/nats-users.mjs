// Writes deploy/nats/users.conf from the table in local/nats-users.mjs: node tools/nats-users.mjs
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './local/directory.mjs';
import { renderNatsUsers } from './local/nats-users.mjs';

writeFileSync(join(repository, 'deploy/nats/users.conf'), renderNatsUsers());
