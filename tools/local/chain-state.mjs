import { existsSync } from 'node:fs';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Problem } from './problem.mjs';

// anvil can write its state to a file (--state-interval), but not atomically. If it is killed while it writes, the file
// is truncated and it cannot start from it. The state is therefore requested and written here.

const unzip = promisify(gunzip);

/** @param {string} folder @param {number} chainId */
const keptFile = (folder, chainId) => join(folder, `${chainId}.json.gz`);

/**
 * Saves the state of a chain, as anvil_dumpState returns it.
 * @param {string} folder
 * @param {number} chainId
 * @param {string} dump
 */
export async function keepChain(folder, chainId, dump) {
  const path = keptFile(folder, chainId);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(Buffer.from(dump.slice(2), 'hex'));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

/**
 * Returns the file with the saved state of a chain, unless the chain is new.
 * @param {string} folder
 * @param {number} chainId
 */
export async function restoreChain(folder, chainId) {
  const path = keptFile(folder, chainId);
  if (!existsSync(path)) return undefined;
  const plain = join(folder, `${chainId}.json`);
  await writeFile(plain, await readState(path), { mode: 0o600 });
  return plain;
}

/** @param {string} path */
async function readState(path) {
  const packed = await readFile(path);
  try {
    const state = await unzip(packed);
    JSON.parse(state.toString());
    return state;
  } catch (cause) {
    throw new Problem(`${path} is damaged. Delete the data and start again: npm start -- --fresh`, { cause });
  }
}
