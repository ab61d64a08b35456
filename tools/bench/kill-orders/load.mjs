// Clients that create orders in a closed loop, and a payer that pays some of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { Contract, JsonRpcProvider, MaxUint256, Network, Wallet } from 'ethers';
import { postOrder } from './post-order.mjs';

const payEvery = 20;
const retryMs = 100;
const paidWithinMs = 120_000;

export class OrderLoad {
  /** Orders that create-order has acknowledged to a client. */
  acknowledged = new Set();
  /** Orders with a payment on the chain. */
  paid = new Set();
  failures = 0;
  #end = new AbortController();
  #paying = Promise.resolve();

  static async start(deployment, clients) {
    const load = new OrderLoad();
    load.deployment = deployment;
    load.sandbox = await (await fetch(`${deployment.gateway}/sandbox`)).json();
    load.wallet = load.sandbox.merchant.wallet;
    // Messages to this endpoint are stored but not sent.
    await deployment.query(
      `INSERT INTO merchant.webhook_endpoints (wallet, url, secret, secret_created_at, not_before, created_at)
       VALUES ($1, 'http://127.0.0.1:9/', '\\x00', now(), 'infinity', now())
       ON CONFLICT (wallet) DO UPDATE SET url = excluded.url, not_before = excluded.not_before`,
      [load.wallet],
    );
    await load.#openPayer();
    load.loops = Array.from({ length: clients }, () => load.#keepCreating());
    return load;
  }

  async #openPayer() {
    const [chain] = this.sandbox.chains;
    const network = Network.from(chain.chainId);
    const options = { staticNetwork: network, pollingInterval: 50, cacheTimeout: -1 };
    this.provider = new JsonRpcProvider(chain.rpcUrl, network, options);
    const payer = new Wallet(this.#account('payer').privateKey, this.provider);
    this.payer = payer;
    this.contract = new Contract(chain.payContract, chain.payAbi, payer);
    const usdc = chain.tokens.find(({ symbol }) => symbol === 'USDC').address;
    const token = new Contract(usdc, ['function approve(address, uint256)'], payer);
    await (await token.getFunction('approve')(chain.payContract, MaxUint256)).wait();
    this.nonce = await this.provider.getTransactionCount(payer.address);
  }

  #account(role) {
    return this.sandbox.accounts.find((account) => account.role === role);
  }

  /** Continues after a failure with another order, because the kills cause failures. */
  async #keepCreating() {
    while (!this.#end.signal.aborted) {
      try {
        const created = await this.#create();
        this.acknowledged.add(created.order_id);
        if (this.acknowledged.size % payEvery === 0)
          this.#paying = this.#paying.then(() => this.#pay(created.direct.payment_order));
      } catch {
        this.failures++;
        await sleep(retryMs);
      }
    }
  }

  #create() {
    const { caip2 } = this.sandbox.chains[0];
    const terms = { pay_blockchain: caip2, pay_token: 'USDC', settle_chain: caip2, settle_token: 'USDC' };
    return postOrder(this.deployment.gateway, this.sandbox.merchant.secret, {
      ...terms,
      merchant_address: this.wallet,
      merchant_amount: '1000000',
      fee_receiver: this.#account('fee_receiver').address,
      fee_amount: '5000',
      merchant_id: this.sandbox.merchant.merchantId,
      payer_address: this.#account('payer').address,
    });
  }

  async #pay(order) {
    const id = order.order_id;
    const paid = { ...order, order_id: `0x${id.replaceAll('-', '')}` };
    await this.#submit(await this.contract.getFunction('pay').populateTransaction(paid));
    this.paid.add(id);
  }

  #submit({ to, data }) {
    return this.payer.sendTransaction({ to, data, nonce: this.nonce++, gasLimit: 300_000 });
  }

  /** Sends a transaction of the payer after those that wait. */
  send(transaction) {
    const sent = this.#paying.then(() => this.#submit(transaction));
    this.#paying = sent.then(() => undefined);
    return sent;
  }

  /** Stops creating orders. Resolves when every paid order is settled. @param {string[]} others further paid orders */
  async untilPaid(others = []) {
    this.#end.abort();
    await Promise.all(this.loops);
    await this.#paying;
    const endMs = performance.now() + paidWithinMs;
    for (;;) {
      const [{ count }] = await this.deployment.query(
        `SELECT count(*)::int AS count FROM pay_orders.orders WHERE id = ANY($1::uuid[]) AND status <> 'settled'`,
        [[...this.paid, ...others]],
      );
      if (count === 0) return;
      if (performance.now() > endMs) throw new Error(`${count} paid orders are not settled`);
      await sleep(500);
    }
  }

  async stop() {
    this.#end.abort();
    await Promise.allSettled(this.loops);
    await this.#paying.catch(() => undefined);
    this.provider.destroy();
  }
}
