// Provides the tests with real servers: Postgres, NATS and Redis of this run alone, their addresses in
// process.env.TEST_*.

/** Jest calls this once for each project of a run; the projects share the servers. */
module.exports = async function setUpServers() {
  const { spawnTestServers } = await import('../../../../tools/local/test-servers-process.mjs');
  const { fsyncVariable } = await import('../../../../tools/local/postgres.mjs');
  const started = () => spawnTestServers({ [fsyncVariable]: process.env[fsyncVariable] ?? 'off' });
  const shared = (globalThis.tollbridgeTestServers ??= { users: 0, started: started() });
  shared.users++;
  const { variables } = await shared.started;
  Object.assign(process.env, variables);
};
