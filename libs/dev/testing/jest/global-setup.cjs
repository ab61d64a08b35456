// Starts real servers for the tests: Postgres, NATS and Redis of this run only. process.env.TEST_* contains their
// addresses.
const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Jest calls this once for each project of a run; the projects share the servers. */
module.exports = async function setUpServers() {
  const { spawnTestServers } = await import('../../../../tools/local/test-servers-process.mjs');
  const { fsyncVariable } = await import('../../../../tools/local/postgres.mjs');
  const started = () => spawnTestServers({ [fsyncVariable]: process.env[fsyncVariable] ?? 'off' });
  const shared = (globalThis.tollbridgeTestServers ??= { users: 0, started: started() });
  shared.users++;
  const { variables } = await shared.started;
  // Chain snapshots of the first test that deploys contracts, for the other tests of this run.
  shared.snapshots ??= mkdtempSync(join(tmpdir(), 'tollbridge-chains-'));
  Object.assign(process.env, variables, { TEST_CHAIN_SNAPSHOTS: shared.snapshots });
};
