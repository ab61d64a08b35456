import { setTimeout as sleep } from 'node:timers/promises';
import { keepChain } from './chain-state.mjs';
import { askNode } from './evm-nodes.mjs';

// A transaction is mined immediately. Confirmations wait for later blocks, which come every second for a while. An idle
// chain gets a block now and then, so that its head stays young and its history small.
const tickMs = 1_000;
const busyMs = 120_000;
const idleBlockMs = 5_000;
// A kill of the node loses what happened since its state was last kept.
const keepWhenBusyMs = 2_000;
const keepWhenIdleMs = 30_000;
// The state grows with the chain: keeping it may take a twentieth of the time, not more.
const keepShare = 20;

/** Mines blocks by the clock and keeps the chain's state. */
export class ChainClock {
  /**
   * @param {object} options
   * @param {string} options.url
   * @param {number} options.chainId
   * @param {string} options.folder
   * @param {boolean} [options.mines] false where a simulator mines the blocks: then only the state is kept
   */
  constructor({ url, chainId, folder, mines = true }) {
    this.mines = mines;
    this.url = url;
    this.chainId = chainId;
    this.folder = folder;
    this.stopping = new AbortController();
    this.head = -1;
    this.busyUntilMs = 0;
    this.lastBlockMs = 0;
    this.keptHead = -1;
    this.keptMs = 0;
    this.keepingTookMs = 0;
    this.loop = Promise.resolve();
    this.keeping = Promise.resolve();
  }

  start() {
    this.loop = this.run();
  }

  /** Stops, and keeps the chain as it is now. */
  async stop() {
    this.stopping.abort();
    await this.loop;
    // The node may be dead already; then the last kept state is what there is.
    await this.keep().catch(() => undefined);
  }

  async run() {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // A node that is being started again cannot answer; the next tick finds it.
      await this.tick().catch(() => undefined);
      await sleep(tickMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async tick() {
    const nowMs = Date.now();
    await this.look(nowMs);
    const isBusy = nowMs < this.busyUntilMs;
    if (this.mines && (isBusy || nowMs - this.lastBlockMs >= idleBlockMs)) await this.mine(nowMs);
    const pauseMs = Math.max(isBusy ? keepWhenBusyMs : keepWhenIdleMs, this.keepingTookMs * keepShare);
    if (this.head !== this.keptHead && nowMs - this.keptMs >= pauseMs) await this.keep();
  }

  /** Reads the blocks since the last look for transactions. @param {number} nowMs */
  async look(nowMs) {
    const head = Number(await this.ask('eth_blockNumber'));
    // A lower head means a rollback or an older state after a kill: the whole chain above is new.
    const from = head < this.head ? head : this.head + 1;
    // After a busy second, or at the first poll, the last few blocks are enough.
    for (let block = Math.max(from, head - 20); block <= head; block++) {
      const count = await this.ask('eth_getBlockTransactionCountByNumber', [`0x${block.toString(16)}`]);
      if (Number(count) > 0) this.busyUntilMs = nowMs + busyMs;
    }
    if (head !== this.head) this.lastBlockMs = nowMs;
    this.head = head;
  }

  /** A test that switched mining off mines its blocks itself. @param {number} nowMs */
  async mine(nowMs) {
    if (!(await this.ask('anvil_getAutomine'))) return;
    await this.ask('evm_mine');
    this.head++;
    this.lastBlockMs = nowMs;
  }

  /** Writes the chain down as it is now; one writing after the other. */
  keep() {
    this.keeping = this.keeping.catch(() => undefined).then(() => this.writeDown());
    return this.keeping;
  }

  async writeDown() {
    const startedMs = Date.now();
    await keepChain(this.folder, this.chainId, await this.ask('anvil_dumpState'));
    this.keptHead = this.head;
    this.keptMs = Date.now();
    this.keepingTookMs = this.keptMs - startedMs;
  }

  /** @param {string} method @param {unknown[]} [params] */
  ask(method, params) {
    return askNode(this.url, method, params);
  }
}
