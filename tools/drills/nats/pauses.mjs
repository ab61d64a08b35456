// Measures the longest time without progress: for the orders of clients, and for the events that the merchant app
// processes.
import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 100;

export class Pauses {
  longestMs = { orders: 0, events: 0 };
  #end = new AbortController();

  /** @param {Record<keyof Pauses['longestMs'], () => number | Promise<number>>} counts */
  constructor(counts) {
    this.loops = Object.entries(counts).map(([name, count]) => this.#watch(name, count));
  }

  async #watch(name, count) {
    let last = await count();
    let sinceMs = performance.now();
    while (!this.#end.signal.aborted) {
      await sleep(everyMs);
      const now = await count();
      this.longestMs[name] = Math.max(this.longestMs[name], Math.round(performance.now() - sinceMs));
      if (now === last) continue;
      last = now;
      sinceMs = performance.now();
    }
  }

  /** @returns the longest pauses since the last call of this method */
  take() {
    const taken = this.longestMs;
    this.longestMs = { orders: 0, events: 0 };
    return taken;
  }

  async stop() {
    this.#end.abort();
    await Promise.all(this.loops);
  }
}
