// Gives the tests real servers: Postgres, NATS and Redis of this run alone, their addresses in process.env.TEST_*.

/** Jest calls this once for each project of a run; they share the servers. */
module.exports = async function setUpServers() {
  const { spawnTestServers } = await import('../../../tools/local/test-servers-process.mjs');
  const shared = (globalThis.tollbridgeTestServers ??= { users: 0, started: spawnTestServers() });
  shared.users++;
  const { variables } = await shared.started;
  Object.assign(process.env, variables);
};
