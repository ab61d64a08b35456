// Orders on a local network other than EVM, paid sequentially by the example of its family. The example uses the
// official wallet library of the family, in a separate process.
import { setTimeout as sleep } from 'node:timers/promises';
import { orderBody, payByExample } from './network-payment.mjs';
import { postOrder } from './post-order.mjs';

const retryMs = 500;

export class NetworkLoad {
  /** Orders that create-order has acknowledged to a client. */
  acknowledged = new Set();
  /** Orders with a payment that the wallet has seen on the chain. */
  paid = new Set();
  /** Orders of a payer that ended before it had the outcome. The chain shows whether they are paid. */
  unknown = new Set();
  failures = 0;
  /** Errors of payers without an outcome, with their counts. @type {Map<string, number>} */
  problems = new Map();
  #end = new AbortController();

  /**
   * @param {import('./deployment.mjs').KilledDeployment} deployment
   * @param {any} sandbox of GET /sandbox
   * @param {any} network one of its networks
   */
  constructor(deployment, sandbox, network) {
    Object.assign(this, { deployment, sandbox, network });
    this.family = network.family;
  }

  start() {
    this.loop = this.#keepPaying();
  }

  /** Ends the loop. Resolves when the last payer has ended. */
  async stop() {
    this.#end.abort();
    await this.loop;
  }

  async #keepPaying() {
    for (let round = 0; !this.#end.signal.aborted; round++) {
      try {
        const created = await this.#create(round);
        this.acknowledged.add(created.order_id);
        // Only the watcher finds every second payment, because the payer ends before it submits the hash.
        await this.#pay(created, round % 2 === 0);
      } catch {
        this.failures++;
        await sleep(retryMs);
      }
    }
  }

  #create(round) {
    const { deployment, sandbox, network } = this;
    const token = network.tokens[round % network.tokens.length];
    return postOrder(deployment.gateway, sandbox.merchant.secret, orderBody(sandbox, network, token));
  }

  async #pay(order, isReported) {
    const { family } = this;
    const { gateway } = this.deployment;
    const onPaid = () => this.paid.add(order.order_id);
    const { isPaid, output } = await payByExample({ family, gateway, order, isReported, onPaid });
    if (isPaid) return;
    this.unknown.add(order.order_id);
    const problem = /^\S*Error.*$/m.exec(output)?.[0] ?? 'no message';
    this.problems.set(problem, (this.problems.get(problem) ?? 0) + 1);
  }
}
