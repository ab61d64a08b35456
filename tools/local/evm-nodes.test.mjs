import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChainClock } from './chain-clock.mjs';
import { Directory } from './directory.mjs';
import { askNode, evmNodePlan, nodeName, nodeUrl } from './evm-nodes.mjs';
import { choosePorts } from './ports.mjs';
import { Supervisor } from './supervisor.mjs';

const chainId = 8453;
const name = nodeName(chainId);
// The first accounts of anvil's default mnemonic.
const [from, to] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
];

/** @type {Directory} */
let directory;
/** @type {Supervisor} */
let supervisor;
/** @type {ChainClock} */
let clock;
/** @type {string} */
let url;

/** @param {string} method @param {unknown[]} [params] */
const ask = (method, params) => askNode(url, method, params);
const head = async () => Number(await ask('eth_blockNumber'));
/** @param {number} number */
const block = (number) => ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);

/** @param {() => Promise<boolean>} condition */
async function until(condition) {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50))
    if (await condition().catch(() => false)) return;
  assert.fail('it did not happen within 60 s');
}

/** Sends coins and returns the receipt. */
async function pay() {
  const hash = await ask('eth_sendTransaction', [{ from, to, value: '0x1' }]);
  await until(async () => (await ask('eth_getTransactionReceipt', [hash])) !== null);
  return ask('eth_getTransactionReceipt', [hash]);
}

before(async () => {
  directory = new Directory(mkdtempSync(join(tmpdir(), 'tollbridge evm-')));
  supervisor = new Supervisor(directory, { print: () => undefined });
  const { node: port } = await choosePorts(directory, ['node']);
  url = nodeUrl(port);
  supervisor.start(evmNodePlan({ directory, chainId, port }));
  await supervisor.untilReady([name]);
  clock = new ChainClock({ url, chainId, folder: directory.privateFolder('evm') });
  clock.start();
});

after(async () => {
  await clock.stop();
  await supervisor.stop([name]);
  rmSync(directory.path, { recursive: true });
});

describe('a local EVM node', () => {
  it('mines a transaction immediately, and then a block every second', async () => {
    const receipt = await pay();
    const mined = Number(receipt.blockNumber);
    const startedMs = Date.now();
    await until(async () => (await head()) >= mined + 3);
    // An idle chain would take 15 s.
    assert.ok(Date.now() - startedMs < 12_000);
  });

  it('mines no block while a test has disabled mining', async () => {
    await ask('evm_setAutomine', [false]);
    await sleep(1_500);
    const before = await head();
    await sleep(1_500);
    assert.equal(await head(), before);
    await ask('evm_setAutomine', [true]);
  });

  it('supports a reorganisation up to the depth of finality', async () => {
    await ask('anvil_mine', ['0x50']);
    const old = await block(await head());
    await ask('anvil_reorg', [64, []]);
    assert.notEqual((await block(Number(old.number))).hash, old.hash);
  });

  it('has the same chain after a kill: hashes, receipts, nonces', async () => {
    const receipt = await pay();
    const number = Number(receipt.blockNumber);
    const hashes = await Promise.all(
      [0, 1, number - 1, number].map(async (each) => (await block(each)).hash),
    );
    await until(async () => clock.keptHead >= number);

    process.kill(supervisor.pids[name], 'SIGKILL');
    await until(async () => (await head()) >= number);
    assert.deepEqual(
      await Promise.all([0, 1, number - 1, number].map(async (each) => (await block(each)).hash)),
      hashes,
    );
    assert.deepEqual(await ask('eth_getTransactionReceipt', [receipt.transactionHash]), receipt);
    const next = await pay();
    assert.ok(Number(next.blockNumber) > number);
    const { timestamp } = await block(Number(next.blockNumber));
    assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 5, 'its clock is the clock');
  });
});
