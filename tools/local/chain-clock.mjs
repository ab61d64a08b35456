import { setTimeout as sleep } from 'node:timers/promises';
import { keepChain } from './chain-state.mjs';
import { askNode } from './evm-nodes.mjs';

// A transaction is mined immediately. Confirmations need later blocks, which are mined every second for some time. An
// idle chain gets a block occasionally, so that its head stays recent and its history small.
const tickMs = 1_000;
const busyMs = 120_000;
const idleBlockMs = 5_000;
// If the node is killed, everything since the last saved state is lost.
const keepWhenBusyMs = 2_000;
const keepWhenIdleMs = 30_000;
// The state grows with the chain. Saving it may take at most a twentieth of the time.
const keepShare = 20;

/** Mines blocks at regular intervals and saves the state of the chain. */
export class ChainClock {
  /**
   * @param {object} options
   * @param {string} options.url
   * @param {number} options.chainId
   * @param {string} options.folder
   * @param {boolean} [options.mines] false if a simulator mines the blocks, so that only the state is saved
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

  /** Stops and saves the current state of the chain. */
  async stop() {
    this.stopping.abort();
    await this.loop;
    // If the node has already exited, the last saved state is used.
    await this.keep().catch(() => undefined);
  }

  async run() {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // A node that is restarting cannot reply; the next tick tries again.
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

  /** Searches the blocks since the last poll for transactions. @param {number} nowMs */
  async look(nowMs) {
    const head = Number(await this.ask('eth_blockNumber'));
    // A lower head means a rollback, or an older state after a kill. Then only the head is read.
    const from = head < this.head ? head : this.head + 1;
    // After a busy second, or at the first poll, the last few blocks are sufficient.
    for (let block = Math.max(from, head - 20); block <= head; block++) {
      const count = await this.ask('eth_getBlockTransactionCountByNumber', [`0x${block.toString(16)}`]);
      if (Number(count) > 0) this.busyUntilMs = nowMs + busyMs;
    }
    if (head !== this.head) this.lastBlockMs = nowMs;
    this.head = head;
  }

  /** Tests that disable automatic mining mine their own blocks. @param {number} nowMs */
  async mine(nowMs) {
    if (!(await this.ask('anvil_getAutomine'))) return;
    await this.ask('evm_mine');
    this.head++;
    this.lastBlockMs = nowMs;
  }

  /** Saves the current state of the chain. Calls run one after another. */
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
