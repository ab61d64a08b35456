import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { askNode, askNodeAll } from '../local/evm-nodes.mjs';

const unzip = promisify(gunzip);

/**
 * Copies a contract with its storage to another address of a local node.
 * @param {string} url of the node @param {string} from @param {string} to
 */
export async function copyContract(url, from, to) {
  const dump = await askNode(url, 'anvil_dumpState');
  const state = JSON.parse((await unzip(Buffer.from(dump.slice(2), 'hex'))).toString());
  await askNodeAll(url, copyCalls(state, from, to));
}

/**
 * Returns the calls that copy the contract.
 * @param {{ accounts: Record<string, { code: string, storage: Record<string, string> }> }} state
 * @param {string} from @param {string} to
 * @returns {[string, unknown[]][]}
 */
export function copyCalls({ accounts }, from, to) {
  const account = Object.entries(accounts).find(
    ([address]) => address.toLowerCase() === from.toLowerCase(),
  )?.[1];
  if (!account) throw new Error(`There is no contract at ${from}.`);
  return [
    ['anvil_setCode', [to, account.code]],
    ...Object.entries(account.storage).map(
      ([slot, value]) =>
        /** @type {[string, unknown[]]} */ (['anvil_setStorageAt', [to, toWord(slot), toWord(value)]]),
    ),
  ];
}

/** @param {string} hex */
const toWord = (hex) => `0x${hex.slice(2).padStart(64, '0')}`;
