import { privateKeyToAccount } from 'viem/accounts';
import { challengesIn, credentialFor } from './mpp-credential';
import { readHeader } from './samples';
import { signInHeaderFor } from './sign-in-header';
import type { Reply, Shop } from './adapter-shop';
import { evmBuyer, evmNetwork, evmSeller, officialHeaderFor, type FakeFacilitator } from './fake-facilitator';

interface PaymentResponse {
  success: boolean;
  errorReason?: string;
  transaction: string;
  network: string;
  payer?: string;
}

export const paymentResponseOf = (reply: Reply): PaymentResponse =>
  readHeader<PaymentResponse>(reply.headers['payment-response'] as string);

/**
 * Tests of payments by official schemes, in this order: verify, handler, settle, response. The server validates `POST
 * /typed/:id`.
 */
export function describeOfficialSales(shop: Shop, facilitator: () => FakeFacilitator): void {
  beforeEach(() => facilitator().reset());
  const header = async () => officialHeaderFor(await shop.required());

  describeCharges(shop, facilitator, header);
  describeOutcomes(shop, facilitator, header);

  it('accepts a credential of the scheme Payment', async () => {
    const required = await shop.send();
    const [challenge] = challengesIn(required.headers['www-authenticate']!);
    const headers = { Authorization: credentialFor(challenge!) };
    const reply = await shop.send({ headers });
    expect([reply.status, JSON.parse(reply.body)]).toEqual([200, { paidBy: evmBuyer }]);
    expect(reply.headers['payment-receipt']).toBeDefined();
    const other = await shop.send({ method: 'POST', headers });
    expect(other.status).toBe(402);
    expect(other.headers['content-type']).toContain('application/problem+json');
    expect(shop.harness.handler.calls).toBe(1);
  });

  it('serves a paid route to the wallet that has paid, before it validates parameters and body', async () => {
    const wallet = privateKeyToAccount(`0x${'11'.repeat(32)}`);
    facilitator().changes.verify = () => ({ body: { isValid: true, payer: wallet.address } });
    const headers = { 'Content-Type': 'application/json' };
    const sent = { path: '/typed/5', method: 'POST', headers, body: '{"prompt":"a"}' };
    const required = await shop.required(sent);
    const authorization = { from: wallet.address };
    expect((await shop.paySigned(officialHeaderFor(required, { authorization }), sent)).status).toBeLessThan(
      300,
    );
    const proof = await signInHeaderFor(await shop.required(sent), wallet);
    const signed = { ...sent, headers: { ...headers, 'Sign-In-With-X': proof } };
    expect((await shop.send(signed)).status).toBeLessThan(300);
    expect((await shop.send(signed)).status).toBe(402);
    expect(facilitator().transfers).toHaveLength(1);
  });

  it('answers 402 before it validates parameters and body', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = { path: '/typed/none', method: 'POST', headers, body: '{"prompt":5}' };
    const probe = await shop.send({ path: '/typed/none', method: 'POST' });
    expect(probe.status).toBe(402);
    expect((await shop.send(sent)).status).toBe(402);
    expect(probe.headers['payment-required']).toBeDefined();
    // A paid request is validated.
    const payment = officialHeaderFor(await shop.required(sent));
    expect((await shop.paySigned(payment, sent)).status).toBe(400);
  });
}

type Describe = (shop: Shop, facilitator: () => FakeFacilitator, header: () => Promise<string>) => void;

const describeCharges: Describe = (shop, facilitator, header) => {
  it('charges an official payment with the response', async () => {
    const reply = await shop.paySigned(await header());
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toEqual({ paidBy: evmBuyer });
    expect(paymentResponseOf(reply)).toMatchObject({
      success: true,
      transaction: `0x${'ab'.repeat(32)}`,
      network: evmNetwork,
      payer: evmBuyer,
    });
    expect(reply.headers).toMatchObject({ 'cache-control': 'private, no-store' });
    expect(reply.headers.vary).toMatch(/Payment-Signature/);
    expect(facilitator().transfers).toMatchObject([{ amount: '1000', payTo: evmSeller }]);
  });

  it('serves one official payment only once, and repeats its response for later copies', async () => {
    const payment = await header();
    const replies = await Promise.all(Array.from({ length: 20 }, () => shop.paySigned(payment)));
    const served = replies.filter(({ status }) => status === 200);
    expect(replies.filter(({ status }) => status !== 200 && status !== 503)).toHaveLength(0);
    expect(served.length).toBeGreaterThanOrEqual(1);
    const again = await shop.paySigned(payment);
    expect(again).toMatchObject({ status: 200, body: served[0]!.body });
    expect(again.headers['payment-response']).toBe(served[0]!.headers['payment-response']);
    expect(again.headers['content-type']).toBe(served[0]!.headers['content-type']);
    expect(shop.harness.handler.calls).toBe(1);
    expect(facilitator().calls('settle')).toHaveLength(1);
  });

  it.each([
    ['a response with status 503', { status: 503 }],
    ['an exception', { throws: true }],
  ])('settles nothing after %s, and accepts the payment again', async (_name, behaviour) => {
    Object.assign(shop.harness.handler, behaviour);
    const payment = await header();
    const reply = await shop.paySigned(payment);
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(paymentResponseOf(reply)).toMatchObject({ success: false, errorReason: 'not_charged' });
    expect(facilitator().calls('settle')).toHaveLength(0);
    shop.forget();
    expect((await shop.paySigned(payment)).status).toBe(200);
  });
};

const describeOutcomes: Describe = (shop, facilitator, header) => {
  it('answers 402 instead of the response when the settlement fails', async () => {
    facilitator().changes.settle = () => ({
      body: { success: false, errorReason: 'insufficient_funds', transaction: '', network: evmNetwork },
    });
    const reply = await shop.paySigned(await header());
    expect(reply.status).toBe(402);
    expect(reply.body).not.toContain('paidBy');
    expect(JSON.parse(reply.body)).toMatchObject({ code: 'insufficient_funds' });
    expect(reply.headers['payment-required']).toBeDefined();
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(paymentResponseOf(reply)).toMatchObject({ success: false, errorReason: 'insufficient_funds' });
  });

  it('answers 503 without a new price while the outcome of a settlement is unknown, then sends the response', async () => {
    facilitator().keepsOutcomes = true;
    facilitator().changes.settle = () => ({ half: '{"success"' });
    const payment = await header();
    const reply = await shop.paySigned(payment);
    expect(reply.status).toBe(503);
    expect(reply.body).not.toContain('paidBy');
    expect(reply.headers['retry-after']).toBeDefined();
    expect(reply.headers['payment-required']).toBeUndefined();
    expect(paymentResponseOf(reply)).toMatchObject({ success: false, errorReason: 'settlement_pending' });
    facilitator().changes = {};
    const again = await shop.paySigned(payment);
    expect(again.status).toBe(200);
    expect(JSON.parse(again.body)).toEqual({ paidBy: evmBuyer });
    expect(paymentResponseOf(again)).toMatchObject({ success: true });
    expect(shop.harness.handler.calls).toBe(1);
    expect(facilitator().transfers).toHaveLength(1);
  });
};
