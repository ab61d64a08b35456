import { buildDigest } from './build-all.mjs';
import { askNodeAll } from './evm-nodes.mjs';

const stampFile = 'contracts.json';
const address = /^0x[0-9a-fA-F]{40}$/;

/**
 * Returns true if the contracts of world.json are on the nodes and the current code has deployed them. Another
 * deployment would then change nothing.
 * @param {import('./directory.mjs').Directory} directory
 * @param {string[]} urls of the nodes
 * @param {object} others other values that the file of chains depends on
 */
export async function areDeployed(directory, urls, others) {
  const stamp = directory.readJson(stampFile);
  if (!stamp || JSON.stringify(stamp) !== JSON.stringify(stampOf(others))) return false;
  const chains = sandboxChains(directory);
  if (chains.length !== urls.length || !directory.readJson('chains.json')) return false;
  const checks = chains.map(
    ({ rpcUrl, ...contracts }) => urls.includes(rpcUrl) && haveCode(rpcUrl, contracts),
  );
  return (await Promise.all(checks)).every(Boolean);
}

/**
 * Must be called after a deployment, when the nodes have saved their state.
 * @param {import('./directory.mjs').Directory} directory
 * @param {object} others
 */
export const noteDeployed = (directory, others) => directory.writeJson(stampFile, stampOf(others));

/** @param {object} others */
const stampOf = (others) => ({ build: buildDigest(), ...others });

/** @param {import('./directory.mjs').Directory} directory @returns {any[]} */
const sandboxChains = (directory) => directory.readJson('world.json')?.chains ?? [];

/** @param {string} url @param {unknown} contracts */
async function haveCode(url, contracts) {
  const addresses = addressesIn(contracts);
  const codes = await askNodeAll(
    url,
    addresses.map((it) => ['eth_getCode', [it, 'latest']]),
  );
  return addresses.length > 0 && codes.every((code) => typeof code === 'string' && code !== '0x');
}

/** @param {unknown} value @returns {string[]} */
function addressesIn(value) {
  if (typeof value === 'string') return address.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}
