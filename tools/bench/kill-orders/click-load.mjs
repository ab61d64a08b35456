// Payers who click twice: three tabs of one payment request ask concurrently for the right to open their wallet.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const payers = 4;
const tabs = 3;
const clicksPerTab = 4;
const betweenClicksMs = 300;
const callTimeoutMs = 20_000;
const sentWithinMs = 90_000;

export class ClickLoad {
  family = 'clicks';
  /** The orders of the requests. */
  acknowledged = new Set();
  paid = new Set();
  /** Wallets that were opened in addition to an earlier wallet of the same request. */
  doubled = [];
  failures = 0;
  clicks = 0;
  #end = new AbortController();
  #loops = [];

  /** @param {import('./deployment.mjs').KilledDeployment} deployment @param {import('./load.mjs').OrderLoad} payer */
  constructor(deployment, payer) {
    Object.assign(this, { deployment, payer });
  }

  start() {
    this.#loops = Array.from({ length: payers }, () => this.#keepClicking());
  }

  /** Continues after a failure with another request, because the kills cause failures. */
  async #keepClicking() {
    while (!this.#end.signal.aborted) {
      try {
        const request = await this.#open();
        const wallets = (await Promise.all(Array.from({ length: tabs }, () => this.#tab(request)))).flat();
        if (wallets.length > 1) this.doubled.push(request.payment_request_id);
      } catch {
        this.failures++;
        await sleep(betweenClicksMs);
      }
    }
  }

  async #open() {
    const { merchant, chains } = this.payer.sandbox;
    const [{ caip2 }] = chains;
    const { id } = await this.#post('/api/v1/merchant/payment-requests', {
      headers: { authorization: `Bearer ${merchant.secret}` },
      json: { amount: '1000000', currency: 'USDC', chain: caip2, receive_address: merchant.wallet },
    });
    const selected_option = { from_token: 'USDC', from_chain: caip2 };
    const started = await this.#post(`/api/v1/payment/${id}/execute`, { json: { selected_option } });
    const { instructions, version } = await this.#get(`/api/v1/payment/${started.payment_id}/status`);
    const order = started.order.order_id;
    this.acknowledged.add(order);
    return { payment_request_id: id, payment_id: started.payment_id, order, pay: instructions.pay, version };
  }

  /** @returns the number of wallets that this tab has opened: 1 or 0 */
  async #tab(request) {
    const holder = randomBytes(8).toString('hex');
    for (let click = 0; click < clicksPerTab; click++) {
      this.clicks++;
      // Without a reply, the tab does not have the right, so it opens no wallet.
      const outcome = await this.#change(request, { holder, action: 'ask' }).catch(() => 'unknown');
      if (outcome === 'held') {
        const { hash } = await this.payer.send({ to: request.pay.to, data: request.pay.data });
        this.paid.add(request.order);
        await this.#untilSent(request, { holder, action: 'send', tx_hash: hash });
        return [holder];
      }
      await sleep(betweenClicksMs);
      // Like the page, the tab continues with the newer version.
      if (outcome === 'stale') request.version = await this.#version(request).catch(() => request.version);
    }
    return [];
  }

  async #version({ payment_id }) {
    return (await this.#get(`/api/v1/payment/${payment_id}/status`)).version;
  }

  async #untilSent(request, fields) {
    const endMs = performance.now() + sentWithinMs;
    for (;;) {
      try {
        return await this.#change(request, fields);
      } catch (error) {
        if (performance.now() > endMs) throw error;
        await sleep(betweenClicksMs);
      }
    }
  }

  async #change({ payment_request_id: id, payment_id, version }, fields) {
    const form = new URLSearchParams({ ...fields, version: String(version), warned: '0' });
    return (await this.#post(`/checkout/${id}/${payment_id}/attempt`, { form })).outcome;
  }

  #get(path) {
    return this.#call(path, {});
  }

  #post(path, { json, form, headers = {} }) {
    const type = json && { 'content-type': 'application/json' };
    return this.#call(path, {
      method: 'POST',
      body: form ?? JSON.stringify(json),
      headers: { ...type, ...headers },
    });
  }

  async #call(path, options) {
    const signal = AbortSignal.timeout(callTimeoutMs);
    const reply = await fetch(`${this.deployment.gateway}${path}`, { ...options, signal });
    if (!reply.ok) throw new Error(`${path}: status ${reply.status}: ${await reply.text()}`);
    return reply.json();
  }

  /** @returns {[string, object]} name and figures; throws when no request was paid */
  figures() {
    const { acknowledged, paid, clicks, failures } = this;
    if (paid.size === 0) throw new Error('no payment request was paid');
    return ['clicks', { requests: acknowledged.size, clicks, paid: paid.size, failures }];
  }

  /** @throws when two tabs of one request have opened their wallets */
  async stop() {
    this.#end.abort();
    await Promise.all(this.#loops);
    if (this.doubled.length > 0)
      throw new Error(
        `${this.doubled.length} payment requests opened two wallets, the first is ${this.doubled[0]}`,
      );
  }
}
