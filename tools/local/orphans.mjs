import { ChainClock } from './chain-clock.mjs';
import { nodeIds, nodeName, nodeUrl } from './evm-nodes.mjs';
import { endProcess } from './processes.mjs';

// These signals stop servers in an orderly way; all other processes get SIGTERM.
/** @type {Record<string, NodeJS.Signals>} */
const signals = { postgres: 'SIGINT' };

/**
 * Stops processes that a killed start left running in a folder: apps, then nodes (after their chains are saved), then
 * servers.
 * @param {import('./directory.mjs').Directory} directory
 * @param {string[]} servers
 */
export async function stopOrphans(directory, servers) {
  const orphans = directory.orphans();
  const nodes = nodeIds.map(nodeName);
  const isApp = (/** @type {{ name: string }} */ { name }) =>
    !servers.includes(name) && !nodes.includes(name);
  const stop = async (/** @type {typeof orphans} */ group) => {
    await Promise.all(group.map((orphan) => endProcess(orphan, { signal: signals[orphan.name] })));
    for (const { name } of group) directory.forgetPid(name);
  };
  await stop(orphans.filter(isApp));
  await keepChains(directory, orphans);
  await stop(orphans.filter((orphan) => !isApp(orphan)));
  return orphans.length;
}

/** @param {import('./directory.mjs').Directory} directory @param {{ name: string }[]} orphans */
async function keepChains(directory, orphans) {
  const ports = directory.readJson('ports.json') ?? {};
  const alive = nodeIds.filter((chainId) => orphans.some(({ name }) => name === nodeName(chainId)));
  await Promise.all(
    alive.map((chainId) => {
      const url = nodeUrl(ports[`evm-${chainId}`]);
      return new ChainClock({ url, chainId, folder: directory.privateFolder('evm') }).stop();
    }),
  );
}
