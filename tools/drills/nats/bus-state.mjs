// Checks that calls between the apps succeed, and that each app has the right number of NATS connections.
import { setTimeout as sleep } from 'node:timers/promises';

const callTimeoutMs = 3_000;
// If an app has a second connection, half of all calls fail. This many successes in a row then have a probability of
// one in a million.
const callsInARow = 20;
const recoversWithinMs = 20_000;
const metric = /^tollbridge_bus_connections\{.*purpose="([^"]+)".*\} (\d+)$/gm;

export class BusState {
  #calls;

  /** @param {any} deployment @param {any} sandbox the reply of `GET /sandbox` */
  constructor(deployment, sandbox) {
    this.deployment = deployment;
    const secret = { authorization: `Bearer ${sandbox.merchant.secret}` };
    const wallet = { 'x-wallet': sandbox.merchant.wallet };
    /** Each call is processed by a different app behind the gateway. */
    this.#calls = {
      'pay-orders': ['/api/v1/pay/chains', {}],
      merchant: ['/api/paylinks', wallet],
      'service-api': ['/catalog', secret],
      'tx-engine': ['/v1/transaction/00000000-0000-7000-8000-000000000000/status', secret],
      nanopay: ['/stats', {}],
    };
  }

  /** @returns the time in milliseconds until consecutive calls to every app succeeded */
  async untilCallsWork() {
    const begunMs = performance.now();
    let sinceMs = begunMs;
    let failure;
    for (let inARow = 0; inARow < callsInARow;) {
      failure = await this.#failure();
      if (failure === undefined) {
        inARow++;
        continue;
      }
      inARow = 0;
      sinceMs = performance.now();
      if (sinceMs - begunMs > recoversWithinMs)
        throw new Error(`calls fail ${recoversWithinMs / 1_000} s after it is back: ${failure}`);
      await sleep(100);
    }
    return Math.round(sinceMs - begunMs);
  }

  /** Verifies that every app has exactly one connection for each purpose and replies. */
  async check() {
    const failure = await this.#failure();
    if (failure !== undefined) throw new Error(failure);
    const { management } = this.deployment.state.urls;
    for (const [app, origin] of Object.entries(management)) {
      const text = await (await fetch(`${origin}/metrics`)).text();
      const found = [...text.matchAll(metric)];
      if (found.length === 0) throw new Error(`${app} reports no connection to NATS`);
      for (const [, purpose, count] of found)
        if (count !== '1') throw new Error(`${app} has ${count} connections to NATS for ${purpose}`);
    }
  }

  async #failure() {
    const failures = await Promise.all(
      Object.entries(this.#calls).map(async ([app, [path, headers]]) => {
        const signal = AbortSignal.timeout(callTimeoutMs);
        const status = await fetch(`${this.deployment.gateway}${path}`, { headers, signal }).then(
          (reply) => reply.arrayBuffer().then(() => reply.status),
          (error) => error.message,
        );
        // A reply of 404 for an unknown transaction also shows that the app works.
        return status === 200 || status === 404 ? undefined : `${app}: ${status}`;
      }),
    );
    return failures.find(Boolean);
  }
}
