import type { Anvil } from '@tollbridge/testing';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Snapshot<Contracts> {
  /** The result of `anvil_dumpState`. */
  state: string;
  contracts: Contracts;
}

/** Deployments on a chain: their names, and the block height after the last one. */
export interface Deployed {
  names: readonly string[];
  height: number;
}

/** More blocks than any test reorganises or searches. */
const spareBlocks = 320;

/**
 * Deploys contracts on a chain, or loads the state of the same deployment on another node of this test run. Loading
 * lasts 40 ms, deploying up to two seconds. Deploys if the chain has changed since `before`.
 * @param deploy returns addresses as a JSON value
 * @returns the result of `deploy`, from this node or another
 */
export async function deployedOnce<Contracts>(
  anvil: Anvil,
  { before, name, deploy }: { before: Deployed; name: string; deploy: () => Promise<Contracts> },
): Promise<{ contracts: Contracts; after: Deployed }> {
  const names = [...before.names, name];
  const folder = process.env['TEST_CHAIN_SNAPSHOTS'];
  const isUsable = folder !== undefined && anvil.isDefault && (await anvil.height()) === before.height;
  const file = isUsable ? join(folder, `${anvil.chainId}-${names.join('+')}.json`) : undefined;
  if (file && existsSync(file)) {
    const { state, contracts } = JSON.parse(readFileSync(file, 'utf8')) as Snapshot<Contracts>;
    await loadState(anvil, state);
    // Reorganisations and searches read older states. The node has only the states of its own blocks.
    await anvil.mine(spareBlocks);
    return { contracts, after: { names, height: await anvil.height() } };
  }
  const contracts = await deploy();
  const height = await anvil.height();
  if (file) await keep(file, { state: String(await anvil.send('anvil_dumpState')), contracts });
  return { contracts, after: { names, height } };
}

/** Does not use ethers, which converts megabytes of text byte by byte. */
async function loadState({ url }: Anvil, state: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_loadState', params: [state] });
  const headers = { 'content-type': 'application/json' };
  const reply = (await (await fetch(url, { method: 'POST', headers, body })).json()) as { result?: unknown };
  if (reply.result !== true) throw new Error(`anvil_loadState failed: ${JSON.stringify(reply)}`);
}

/** Writes the file atomically, because other processes may read it at any time. */
async function keep(file: string, snapshot: Snapshot<unknown>): Promise<void> {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify(snapshot));
  renameSync(own, file);
}
