import type { request as HttpRequest } from 'node:http';
import { isReceipt, type PaymentRequired, type Receipt } from '@tollbridge/nanopay-protocol';
import { aRejectedOutcome } from '@tollbridge/nanopay-protocol/testing';
import { type Reply, Shop, type Start } from './adapter-shop';
import { describeOfficialSales } from './official-conformance';
import { baseUrl, buyerAddress, headerFor, readHeader, seller } from './samples';

export type { AdapterHarness } from './adapter-shop';

const paymentResponse = (reply: Reply) =>
  readHeader<{ success: boolean; transaction: string; extra: { refund?: string; receipt: Receipt } }>(
    reply.headers['payment-response'] as string,
  );

/**
 * Tests for every adapter. The server sells three routes. `/sold` ($0.001) answers `{paidBy}` as `handler` specifies.
 * `POST /bound` (1000, bound body) answers `{echo}`. `POST /typed/:id` ($0.001) requires an integer id and a body with
 * a string `prompt`.
 */
export function describeAdapter(name: string, start: Start, httpRequest: typeof HttpRequest): void {
  describe(`paywall adapter of ${name}`, () => {
    const shop = new Shop(name, httpRequest);
    beforeAll(() => shop.open(start));
    afterAll(() => shop.close());
    beforeEach(() => shop.forget());
    describeSales(shop);
    describeChannels(shop);
    describeFailures(shop);
    describeMisuse(shop);
    describeOfficialSales(shop, () => shop.facilitator);
  });
}

function describeSales(shop: Shop): void {
  it('answers 402 with the price in headers and body', async () => {
    const reply = await shop.send({ headers: { 'X-Forwarded-Host': 'evil.example', Host: 'evil.example' } });
    expect(reply.status).toBe(402);
    const document = readHeader<PaymentRequired>(reply.headers['payment-required'] as string);
    expect(document.resource.url).toBe(`${baseUrl}/sold`);
    expect(JSON.parse(reply.body)).toMatchObject({ x402Version: 2, code: 'payment_required' });
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(reply.headers.vary).toMatch(/Payment-Signature/);
    expect(reply.headers['access-control-expose-headers']).toMatch(/PAYMENT-REQUIRED/);
    expect(shop.harness.handler.calls).toBe(0);
  });

  it('serves a paid request with a receipt', async () => {
    const before = shop.harness.ledger.balanceOf(seller);
    const reply = await shop.pay();
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.body)).toEqual({ paidBy: buyerAddress });
    expect(paymentResponse(reply)).toMatchObject({ success: true });
    expect(
      isReceipt(paymentResponse(reply).extra.receipt, Buffer.from(shop.harness.ledger.publicKey, 'hex')),
    ).toBe(true);
    expect(reply.headers).toMatchObject({ 'cache-control': 'private, no-store' });
    expect(shop.harness.ledger.balanceOf(seller) - before).toBe(1_000n);
  });

  it('serves a payment only once', async () => {
    const payment = await headerFor(await shop.required());
    const replies = await Promise.all(Array.from({ length: 20 }, () => shop.paySigned(payment)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(19);
    expect(shop.harness.handler.calls).toBe(1);
  });

  it('repeats the response of a call with an identifier, without running the handler or charging', async () => {
    const payment = await headerFor(await shop.required(), {
      identifier: `${'call'.repeat(4)}_${shop.name.length}`,
    });
    const first = await shop.paySigned(payment);
    const messages = shop.harness.ledger.messages.length;
    const again = await shop.paySigned(payment);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers['payment-response']).toBe(first.headers['payment-response']);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(shop.harness.handler.calls).toBe(1);
    expect(shop.harness.ledger.messages).toHaveLength(messages);
  });

  it('binds bodies byte for byte', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = { path: '/bound', method: 'POST', headers, body: '{"prompt": "a"}' };
    const payment = await headerFor(await shop.required(sent), {
      method: 'POST',
      body: Buffer.from(sent.body),
    });
    const other = await shop.paySigned(payment, { ...sent, body: '{"prompt":"a"}' });
    expect(other.status).toBe(402);
    const reply = await shop.paySigned(payment, sent);
    expect(reply.status).toBeLessThan(300);
    expect(JSON.parse(reply.body)).toEqual({ echo: { prompt: 'a' } });
  });
}

function describeChannels(shop: Shop): void {
  const stateOf = (reply: Response) =>
    readHeader<{ success: boolean; extra: { channel: { index: number; refunded: number } } }>(
      reply.headers.get('payment-response'),
    );

  it('serves the links of a channel, and repeats the response of the last one', async () => {
    const { sent, buy } = shop.channelBuyer();
    for (const index of [1, 2, 3]) {
      const reply = await buy();
      expect(await reply.json()).toEqual({ paidBy: buyerAddress });
      expect(stateOf(reply)).toMatchObject({ success: true, extra: { channel: { index } } });
      expect(reply.headers.get('cache-control')).toBe('private, no-store');
    }
    const again = await shop.paySigned(sent[2]!);
    expect(again).toMatchObject({ status: 200, body: JSON.stringify({ paidBy: buyerAddress }) });
    expect((await shop.paySigned(sent[1]!)).status).toBe(402);
    expect((await shop.paySigned([sent[2]!, sent[2]!])).status).toBe(400);
    expect(shop.harness.handler.calls).toBe(3);
  });

  it('credits failed requests of a channel', async () => {
    const { buy } = shop.channelBuyer();
    await buy();
    shop.harness.handler.throws = true;
    const failed = await buy();
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(stateOf(failed)).toMatchObject({ success: false, extra: { channel: { index: 2, refunded: 1 } } });
    shop.harness.handler.throws = false;
    expect(stateOf(await buy())).toMatchObject({
      success: true,
      extra: { channel: { index: 3, refunded: 1 } },
    });
  });
}

function describeFailures(shop: Shop): void {
  it.each([400, 404, 422])('keeps the charge of a response with status %i', async (status) => {
    shop.harness.handler.status = status;
    const before = shop.harness.ledger.balanceOf(seller);
    expect(paymentResponse(await shop.pay())).toMatchObject({ success: true });
    expect(shop.harness.ledger.balanceOf(seller) - before).toBe(1_000n);
  });

  it.each([
    ['a response with status 503', { status: 503 }],
    ['an exception', { throws: true }],
  ])('refunds %s and reports it', async (_name, behaviour) => {
    Object.assign(shop.harness.handler, behaviour);
    const before = shop.harness.ledger.balanceOf(buyerAddress);
    const reply = await shop.pay();
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(reply.body).not.toBe('');
    expect(paymentResponse(reply)).toMatchObject({ success: false, extra: { refund: 'done' } });
    expect(paymentResponse(reply).extra.receipt.type).toBe('refund');
    expect(shop.harness.ledger.balanceOf(buyerAddress)).toBe(before);
  });

  it('answers 503 without a new price while the outcome is unknown', async () => {
    const payment = await headerFor(await shop.required());
    shop.harness.ledger.lose = () => 'reply';
    const reply = await shop.paySigned(payment);
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toBe('1');
    expect(reply.headers['payment-required']).toBeUndefined();
    expect(shop.harness.handler.calls).toBe(0);
    shop.harness.ledger.lose = undefined;
    expect((await shop.paySigned(payment)).status).toBe(200);
  });
}

function describeMisuse(shop: Shop): void {
  it('answers 400 to a repeated or malformed header', async () => {
    const messages = shop.harness.ledger.messages.length;
    const payment = await headerFor(await shop.required());
    expect((await shop.paySigned([payment, payment])).status).toBe(400);
    const reply = await shop.paySigned('!');
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toMatchObject({ code: 'invalid_payment_header' });
    expect(reply.headers['payment-required']).toBeUndefined();
    expect(shop.harness.ledger.messages).toHaveLength(messages);
  });

  it('answers 402 with the reason and a fresh price to a rejected payment', async () => {
    shop.harness.ledger.instead = () => aRejectedOutcome({ reason: 'rate_limited', retryAfterS: 9 });
    const reply = await shop.pay();
    expect(reply.status).toBe(402);
    expect(reply.headers['retry-after']).toBe('9');
    expect(paymentResponse(reply)).toMatchObject({
      success: false,
      errorReason: 'rate_limited',
      transaction: '',
    });
    const document = readHeader<PaymentRequired>(reply.headers['payment-required'] as string);
    expect(document.error).toBe('rate_limited');
  });

  it('answers the preflight requests of browsers', async () => {
    const headers = {
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'payment-signature',
    };
    const reply = await shop.send({ method: 'OPTIONS', headers });
    expect(reply.status).toBe(204);
    const allowed = String(reply.headers['access-control-allow-headers']).toLowerCase();
    expect(allowed).toContain('payment-signature');
    // The official client requests this header.
    expect(allowed).toContain('access-control-expose-headers');
  });
}
