// Orders on one local network beside the EVM nodes, paid one after the other by the example of its family: the official wallet
// library of the family, in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repository } from '../../tools/local/directory.mjs';
import { postOrder } from './post-order.mjs';

const retryMs = 500;
const attemptMs = 60_000;
const keptChars = 4_000;

export class NetworkLoad {
  /** Orders that were acknowledged. */
  acknowledged = new Set();
  /** Orders whose payment the wallet saw on the chain. */
  paid = new Set();
  /** Orders whose payer ended before it knew the outcome: the chain shows whether they are paid. */
  unknown = new Set();
  failures = 0;
  /** What the last payer without an outcome printed. */
  lastOutput = '';
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

  /** Ends the loop; resolves when the last payer has ended. */
  async stop() {
    this.#end.abort();
    await this.loop;
  }

  async #keepPaying() {
    for (let round = 0; !this.#end.signal.aborted; round++) {
      try {
        const created = await this.#create(round);
        this.acknowledged.add(created.order_id);
        // Every second payment is left to the watcher alone: the payer ends before it submits the hash.
        await this.#pay(created, round % 2 === 0);
      } catch {
        this.failures++;
        await sleep(retryMs);
      }
    }
  }

  #create(round) {
    const { chain, tokens, accounts } = this.network;
    const address = (role) => accounts.find((account) => account.role === role).address;
    const token = tokens[round % tokens.length];
    const { merchantAmount, feeAmount } = amountsOf(token);
    return postOrder(this.deployment.gateway, this.sandbox.merchant.secret, {
      pay_blockchain: chain,
      pay_token: token.symbol,
      settle_chain: chain,
      settle_token: token.symbol,
      merchant_address: address('merchant'),
      merchant_amount: String(merchantAmount),
      fee_receiver: address('fee_receiver'),
      fee_amount: String(feeAmount),
      merchant_id: this.sandbox.merchant.merchantId,
      payer_address: address('payer'),
    });
  }

  /** Failures after `paid by` are what the kills cause. */
  async #pay(order, isReported) {
    const program = join(repository, 'examples', `pay-${this.family}.mjs`);
    const env = { ...process.env, TOLLBRIDGE_URL: this.deployment.gateway };
    const payer = spawn(process.execPath, [program], {
      cwd: repository,
      env,
      timeout: attemptMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [payer.stdout, payer.stderr])
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-keptChars);
        if (!output.includes('paid by ')) return;
        this.paid.add(order.order_id);
        if (!isReported) payer.kill('SIGKILL');
      });
    payer.stdin.on('error', () => undefined);
    payer.stdin.end(JSON.stringify(order));
    await once(payer, 'close');
    if (this.paid.has(order.order_id)) return;
    this.unknown.add(order.order_id);
    this.lastOutput = output;
  }
}

/** A tenth of a token, and a hundredth for the fee. @param {{ decimals: number }} token */
export function amountsOf({ decimals }) {
  const merchantAmount = 10n ** BigInt(decimals - 1);
  return { merchantAmount, feeAmount: merchantAmount / 10n };
}
