// Clients that each send one request after another: orders, reads of orders, nano-payments and purchases.
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { secondsSince } from '../run-drill.mjs';

const load = createRequire(import.meta.url);
const { accountBytes, digestOf, paymentBytes, resourceHash, signingKey, w5Account } = load(
  '@tollbridge/nanopay-protocol',
);

const clientsOf = { order: 2, read: 4, payment: 3, purchase: 1 };
const pauseMs = 25;
const afterFailureMs = 100;
const callTimeoutMs = 100_000;
const resource = 'https://api.example.com/drill';
const seller = `0:${'22'.repeat(32)}`;

/** The measurements of one kind of request. */
class Figures {
  requests = 0;
  /** @type {Record<string, number>} */
  failures = {};
  longestPauseMs = 0;
  lastSuccessMs = performance.now();

  succeeded() {
    const nowMs = performance.now();
    this.longestPauseMs = Math.max(this.longestPauseMs, nowMs - this.lastSuccessMs);
    this.lastSuccessMs = nowMs;
  }

  failed(reason) {
    this.failures[reason] = (this.failures[reason] ?? 0) + 1;
  }
}

export class StopLoad {
  #end = new AbortController();
  #figures = {};
  #orders = [];
  #client = 0;

  /**
   * @param {{ next(): string }} gateways
   * @param {{ retryMs?: number }} [options] how long a payment with an unknown outcome (503) is retried, as its
   * documentation describes; not retried by default
   */
  static async start(deployment, gateways, { retryMs = 0 } = {}) {
    const load = new StopLoad();
    load.retryMs = retryMs;
    load.gateways = gateways;
    load.sandbox = await (await fetch(`${deployment.gateway}/sandbox`)).json();
    load.buyer = await makeBuyer(deployment);
    load.take();
    load.loops = Object.entries(clientsOf).flatMap(([kind, count]) =>
      Array.from({ length: count }, () => load.#keepAsking(kind)),
    );
    return load;
  }

  /** Returns the measurements since the last call, by kind of request. */
  take() {
    const taken = this.#figures;
    this.#figures = Object.fromEntries(Object.keys(clientsOf).map((kind) => [kind, new Figures()]));
    return taken;
  }

  async stop() {
    this.#end.abort();
    await Promise.all(this.loops);
  }

  async #keepAsking(kind) {
    while (!this.#end.signal.aborted) {
      const figures = this.#figures[kind];
      figures.requests++;
      const failure = await this[kind]().catch((error) => error.cause?.code ?? error.message);
      if (failure) this.#figures[kind].failed(failure);
      else this.#figures[kind].succeeded();
      await sleep(failure ? afterFailureMs : pauseMs);
    }
  }

  /** @returns {Promise<string | undefined>} the reason for the failure */
  async #ask(method, path, { body, idempotencyKey, asMerchant = false, origin = this.gateways.next() } = {}) {
    const reply = await fetch(origin + path, {
      method,
      headers: {
        'content-type': 'application/json',
        // Uses a new address for each request, so that each has its own rate limit.
        'x-forwarded-for': `198.51.${(this.#client >> 8) & 255}.${this.#client++ & 255}`,
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...(asMerchant && { authorization: `Bearer ${this.sandbox.merchant.secret}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    const answer = await reply.json();
    if (reply.status !== 200) return { failure: `${reply.status} ${answer.code}` };
    return { answer };
  }

  async order() {
    const { caip2 } = this.sandbox.chains[0];
    const account = (role) => this.sandbox.accounts.find((each) => each.role === role).address;
    const body = {
      pay_blockchain: caip2,
      pay_token: 'USDC',
      settle_chain: caip2,
      settle_token: 'USDC',
      merchant_address: this.sandbox.merchant.wallet,
      merchant_amount: '1000000',
      fee_receiver: account('fee_receiver'),
      fee_amount: '5000',
      merchant_id: this.sandbox.merchant.merchantId,
      payer_address: account('payer'),
    };
    const { failure, answer } = await this.#ask('POST', '/api/v1/pay/create-order', {
      body,
      asMerchant: true,
    });
    if (!failure) this.#orders = [...this.#orders.slice(-99), answer.order_id];
    return failure;
  }

  async read() {
    const id = this.#orders.at(Math.floor(Math.random() * this.#orders.length));
    if (id === undefined) return void (await sleep(afterFailureMs));
    return (await this.#ask('GET', `/api/v1/pay/order/${id}`)).failure;
  }

  async payment() {
    const idempotencyKey = this.retryMs > 0 ? randomBytes(12).toString('hex') : undefined;
    const request = { body: this.buyer.authorization(), idempotencyKey };
    const endMs = performance.now() + this.retryMs;
    for (;;) {
      const { failure } = await this.#ask('POST', '/verify', request);
      if (!failure?.startsWith('503') || performance.now() >= endMs) return failure;
      await sleep(afterFailureMs);
    }
  }

  async purchase(unitPrice = 25, origin = this.gateways.next()) {
    const body = {
      productId: 1001,
      quantity: 1,
      unitPrice,
      senderName: 'Ada',
      customIdentifier: randomBytes(12).toString('hex'),
    };
    return (await this.#ask('POST', '/gift/giftcards/order', { body, asMerchant: true, origin })).failure;
  }

  /**
   * Makes a purchase at one gateway with a provider that takes one minute.
   * @param {string} origin
   * @returns {Promise<{ failure?: string, tookS: number }>}
   */
  async slowPurchase(origin) {
    const startedMs = performance.now();
    const failure = await this.purchase(10.73, origin).catch((error) => error.cause?.code ?? error.message);
    return { ...(failure && { failure }), tookS: secondsSince(startedMs) };
  }
}

/**
 * Summarizes the requests of each kind. @param {Record<string, Figures>} figures by kind of request @returns the number
 * of requests and failures, and the reasons
 */
export function summaryOf(figures) {
  const failed = Object.entries(figures).flatMap(([kind, { failures }]) =>
    Object.entries(failures).map(([reason, count]) => [`${kind}: ${reason}`, count]),
  );
  return {
    requests: Object.values(figures).reduce((sum, { requests }) => sum + requests, 0),
    failures: failed.reduce((sum, [, count]) => sum + count, 0),
    ...(failed.length > 0 && { reasons: Object.fromEntries(failed) }),
  };
}

/** Creates a buyer with a nano-payment balance that was credited without a deposit on the chain. */
async function makeBuyer(deployment) {
  const { kinds } = await (await fetch(`${deployment.gateway}/supported`)).json();
  const { verifyingContract } = kinds[0].extra;
  const asset = kinds[0].extra.asset ?? sandboxAsset;
  const key = signingKey(randomBytes(32));
  const from = w5Account(key.publicKey);
  await deployment.query(
    'INSERT INTO tee.accounts (account, deposited, available, updated_at) VALUES ($1, $2, $2, now())',
    [accountBytes(from).subarray(4), 10_000_000_000n],
  );
  return { authorization: () => authorizationOf({ key, from, verifyingContract, asset }) };
}

function authorizationOf({ key, from, verifyingContract, asset }) {
  const nowS = BigInt(Math.floor(Date.now() / 1_000));
  const terms = {
    flags: 1,
    networkId: -239,
    verifyingContract,
    asset,
    from,
    to: seller,
    amountAtomic: 1_000n,
    nonce: randomBytes(32),
    validAfterS: nowS - 5n,
    validBeforeS: nowS + 60n,
    resourceHash: resourceHash('GET', resource),
  };
  return {
    from,
    to: seller,
    amount: '1000',
    resource,
    nonce: terms.nonce.toString('hex'),
    validAfter: terms.validAfterS.toString(),
    validBefore: terms.validBeforeS.toString(),
    publicKey: key.publicKey.toString('hex'),
    signature: key.sign(digestOf(paymentBytes(terms))).toString('hex'),
  };
}

// The token that represents USDT in the sandbox.
const sandboxAsset = '0:bf01e7207c69fd0ddf3549aa38e27c2e74d3c3006e7fac4827fdffb57e4e07c7';
