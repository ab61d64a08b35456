const { rmSync } = require('node:fs');

// Stops the test servers after the last project of the run.
module.exports = async function tearDownServers() {
  const shared = globalThis.tollbridgeTestServers;
  if (!shared || --shared.users > 0) return;
  globalThis.tollbridgeTestServers = undefined;
  if (shared.snapshots) rmSync(shared.snapshots, { recursive: true, force: true });
  const servers = await shared.started;
  await servers.stop();
};
