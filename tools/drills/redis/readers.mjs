// Anonymous clients: one reads an order in a loop, and one calls a route with a rate limit.
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../local/until.mjs';

const pauseMs = 100;
const callTimeoutMs = 20_000;

export class Readers {
  counts = { reads: 0, readsFailed: 0, admitted: 0, limited: 0, otherAnswers: 0 };
  #end = new AbortController();

  constructor(gateway, load) {
    Object.assign(this, { gateway, load });
    this.loops = [this.#repeat(() => this.#read()), this.#repeat(() => this.#call())];
  }

  async #repeat(work) {
    while (!this.#end.signal.aborted) {
      await work();
      await sleep(pauseMs);
    }
  }

  async #read() {
    const [id] = this.load.acknowledged;
    if (!id) return;
    const status = await this.#statusOf(`/api/v1/pay/order/${id}`);
    if (status === 200 || status === 429) this.counts.reads++;
    else this.counts.readsFailed++;
  }

  /** Calls a route with a rate limit. For anonymous clients, the limit applies to their IP address. */
  async #call() {
    const status = await this.#statusOf('/api/v1/pay/order/01a20f2a-cbd7-7532-ba7d-3ddce2703927/tx', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tx_hash: `0x${'ab'.repeat(32)}` }),
    });
    // The call passed the rate limit: the order does not exist or is paid by another transaction.
    if ([400, 404, 409].includes(status)) this.counts.admitted++;
    else if (status === 503 || status === 429) this.counts.limited++;
    else {
      this.counts.otherAnswers++;
      this.lastAnswer = status;
    }
  }

  async #statusOf(path, options = {}) {
    try {
      const reply = await fetch(`${this.gateway}${path}`, {
        ...options,
        signal: AbortSignal.timeout(callTimeoutMs),
      });
      await reply.arrayBuffer();
      return reply.status;
    } catch {
      return 0;
    }
  }

  /** Returns the time until a call passed the rate limit. */
  async untilAdmitted(withinMs) {
    const { admitted } = this.counts;
    const startedMs = performance.now();
    await until('admitted call', withinMs, () => this.counts.admitted > admitted, { everyMs: 20 });
    return Math.round(performance.now() - startedMs);
  }

  async stop() {
    this.#end.abort();
    await Promise.all(this.loops);
  }
}
