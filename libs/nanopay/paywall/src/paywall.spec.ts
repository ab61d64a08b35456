import { randomBytes } from 'node:crypto';
import {
  base64Json,
  compactToken,
  flags,
  isReceipt,
  keylessCallPrefix,
  rejections,
  resourceHash,
  type FrameItem,
  type Outcome,
  type PaymentRequired,
  type Receipt,
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import { aRejectedOutcome } from '@tollbridge/nanopay-protocol/testing';
import { eventually } from '@tollbridge/testing';
import {
  Grant,
  MemoryResponses,
  paymentHeaderOf,
  Paywall,
  type PaidOptions,
  type PaywallOptions,
  type Verdict,
  type Transport,
} from './index';
import type { SignedPayload } from './payer';
import type { MemoryEnclave } from './testing';
import {
  baseUrl,
  buyerAddress,
  deployment,
  headerFor,
  readHeader,
  sampleHarness,
  seller,
  type HeaderChanges,
} from './testing/samples';

const path = '/premium-data';
const identifier = 'call_0123456789abcdef';
const otherResource = 'invalid_ton_nanopay_resource_mismatch';

function sell(options: Partial<PaywallOptions> = {}, sold: Partial<PaidOptions> = {}) {
  const { ledger, paywall } = sampleHarness(options);
  const route = paywall.route({ amount: '1000', mimeType: 'application/json', ...sold });
  const ask = async (payment?: string | string[], more: { method?: string; url?: string } = {}) =>
    route.decide({ method: 'GET', url: path, payment, ...more });
  const required = async (more = {}) => answerOf(await ask(undefined, more)).headers['PAYMENT-REQUIRED']!;
  const pay = async (changes: HeaderChanges = {}) => headerFor(await required(), changes);
  return { ledger, paywall, route, ask, required, pay };
}

function answerOf(verdict: Verdict) {
  if (verdict.kind === 'granted') throw new Error('It was granted.');
  return verdict.answer;
}

function grantOf(verdict: Verdict) {
  if (verdict.kind !== 'granted') throw new Error(`${verdict.kind}: ${verdict.answer.body.toString()}`);
  if (!(verdict.grant instanceof Grant)) throw new Error('It is not a nano-payment.');
  return verdict.grant;
}

const reasonOf = (verdict: Verdict) =>
  readHeader<PaymentRequired>(answerOf(verdict).headers['PAYMENT-REQUIRED']).error;

describe('a request without payment', () => {
  it('returns the price in both forms of the offer, byte for byte', async () => {
    const { ask } = sell();
    const { status, headers, body } = answerOf(await ask());
    const extra = {
      name: 'TonNanoPay',
      version: '1',
      verifyingContract: deployment.verifyingContract,
      teeEndpoint: 'https://pay.example.com',
      paymentFlow: 'upfront',
    };
    const caip = {
      scheme: 'ton-nanopay',
      network: 'tvm:-239',
      amount: '1000',
      to: seller,
      payTo: seller,
      asset: deployment.asset.master,
      maxTimeoutSeconds: 60,
      extra,
    };
    const seed = { ...caip, network: 'ton-mainnet', asset: 'USDT' };
    expect(status).toBe(402);
    const document = readHeader<PaymentRequired>(headers['PAYMENT-REQUIRED']);
    expect(document).toEqual({
      x402Version: 2,
      error: 'payment_required',
      accepts: [seed, caip],
      resource: { url: `${baseUrl}${path}`, mimeType: 'application/json' },
      extensions: { 'payment-identifier': expect.anything() },
    });
    const response = JSON.parse(body.toString()) as PaymentRequired & { code: string };
    expect(response.accepts).toEqual([seed, caip]);
    expect(response.code).toBe('payment_required');
    expect(headers).toMatchObject({ 'Cache-Control': 'no-store', Vary: 'Payment-Signature' });
    expect(headers['Content-Length']).toBe(Buffer.byteLength(body).toString());
  });

  it('returns a header that proxies accept', async () => {
    const { required } = sell();
    expect((await required()).length).toBeLessThan(2_048);
  });

  it('answers synchronously with the cached response', () => {
    const { route } = sell();
    const request = { method: 'GET', url: path, payment: undefined };
    const first = route.decide(request);
    const second = route.decide({ ...request });
    expect(first).not.toBeInstanceOf(Promise);
    expect(answerOf(second as Verdict)).toBe(answerOf(first as Verdict));
  });

  it('caches only the 402 without a reason', async () => {
    const { ask, pay, required } = sell();
    const payment = await pay({ terms: { amountAtomic: 999n } });
    const first = answerOf(await ask(payment));
    const second = answerOf(await ask(payment));
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(readHeader<PaymentRequired>(await required()).error).toBe('payment_required');
  });

  it('advertises the configured base URL, whatever the Host header contains', async () => {
    const { ask } = sell();
    const urlOf = async (url: string) =>
      readHeader<PaymentRequired>(answerOf(await ask(undefined, { url })).headers['PAYMENT-REQUIRED'])
        .resource.url;
    expect(await urlOf('http://evil.example/premium-data?a=1')).toBe(`${baseUrl}${path}?a=1`);
    expect(await urlOf('/premium-data?b=2&a=1')).toBe(`${baseUrl}${path}?b=2&a=1`);
    expect(await urlOf('//evil.example/x')).toBe(`${baseUrl}//evil.example/x`);
  });

  it('can advertise the path without its query and calculate the price', async () => {
    const amount = ({ url }: { url: string }) => (url.includes('large') ? 2_000n : '1000');
    const { ask } = sell({ advertiseQuery: false }, { amount });
    const documentOf = async (url: string) =>
      readHeader<PaymentRequired>(answerOf(await ask(undefined, { url })).headers['PAYMENT-REQUIRED']);
    const large = await documentOf('/x?large');
    expect(large.resource.url).toBe(`${baseUrl}/x`);
    expect(large.accepts[0]!.amount).toBe('2000');
    expect((await documentOf('/x?small')).accepts[0]!.amount).toBe('1000');
  });

  it('advertises a method other than GET, which clients must sign', async () => {
    const { required } = sell();
    const [offer] = readHeader<PaymentRequired>(await required({ method: 'POST' })).accepts;
    expect(offer!.extra.method).toBe('POST');
  });

  it('bounds the cached prices and the length of a URL', async () => {
    const { ask, paywall } = sell({ maxQuotes: 10 });
    for (let at = 0; at < 1_000; at++) await ask(undefined, { url: `/premium-data?at=${at}` });
    const { quotes } = (paywall as unknown as { around: { quotes: { size: number } } }).around;
    expect(quotes.size).toBe(10);
    expect(answerOf(await ask(undefined, { url: `/${'x'.repeat(3_000)}` })).status).toBe(414);
  });
});

describe('configuration', () => {
  it.each(['0', '-1', '1.5', '', '01', '9223372036854775808'])('rejects the price %p', (amount) => {
    expect(() => sell({}, { amount })).toThrow('Invalid price');
  });

  it('rejects a paywall without a gateway or with an invalid URL, account or key', () => {
    expect(() => new Paywall({ baseUrl, to: seller })).toThrow('Set `gateway`');
    expect(() => new Paywall({ baseUrl: 'ftp://x', gateway: 'https://x' })).toThrow('base URL');
    expect(() => new Paywall({ baseUrl, gateway: 'https://x' }).route({ amount: '1' })).toThrow(
      'Missing recipient',
    );
    expect(() => sell({}, { to: 'nowhere' })).toThrow('is not an account');
    expect(() => sell({ enclaveKey: 'short' })).toThrow('64');
    const key = 'ee'.repeat(32);
    for (const enclaveKey of [[], [key, 'short'], [key, key, key, key]])
      expect(() => sell({ enclaveKey })).toThrow('a list of at most 3');
  });
});

describe('a paid request', () => {
  it('gets a grant with the receipt of the ledger service', async () => {
    const { ledger, ask, pay } = sell();
    const grant = grantOf(await ask(await pay()));
    expect(grant.payment).toMatchObject({ from: buyerAddress, to: seller, amount: '1000', asset: 'USDT' });
    expect(isReceipt(grant.payment.receipt!, Buffer.from(ledger.publicKey, 'hex'))).toBe(true);
    const response = readHeader(grant.headers['PAYMENT-RESPONSE']);
    const { confirmationId, receipt } = grant.payment;
    expect(response).toEqual({
      success: true,
      transaction: confirmationId,
      network: 'ton-mainnet',
      payer: buyerAddress,
      amount: '1000',
      extra: { confirmationId, chargedAmount: '1000', receipt },
    });
    expect(grant.headers).toMatchObject({
      'Cache-Control': 'private, no-store',
      Vary: 'Payment-Signature',
    });
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('gets a grant for the other form of the offer', async () => {
    const { ask, pay } = sell();
    const grant = grantOf(await ask(await pay({ offer: 1 })));
    expect(readHeader(grant.headers['PAYMENT-RESPONSE'])).toMatchObject({ network: 'tvm:-239' });
  });

  it('gets one grant for 1,000 concurrent copies at two paywalls', async () => {
    // A thousand signatures need more time on a busy machine.
    const patient = { budgetMs: 19_000, messageTimeoutMs: 15_000 };
    const { ledger, paywall, pay } = sell(patient);
    const other = new Paywall({ ...patient, baseUrl, to: seller, deployment, transport: ledger });
    const routes = [paywall, other].map((each) => each.route({ amount: '1000' }));
    const payment = await pay();
    const copies = Array.from({ length: 1_000 }, async (_, at) =>
      routes[at % 2]!.decide({ method: 'GET', url: path, payment }),
    );
    const verdicts = await Promise.all(copies);
    expect(verdicts.filter(({ kind }) => kind === 'granted')).toHaveLength(1);
    const others = verdicts.filter(({ kind }) => kind !== 'granted');
    expect(new Set(others.map(reasonOf))).toEqual(new Set(['duplicate_settlement']));
    expect(ledger.balanceOf(seller)).toBe(1_000n);
    // Each paywall sends four messages within the turn, and one message with all other payments.
    expect(ledger.messages.length).toBeLessThanOrEqual(10);
  });

  it('gets a grant for one method, one path and one query only', async () => {
    const { ask, pay } = sell();
    const payment = await pay();
    expect(reasonOf(await ask(payment, { method: 'POST' }))).toBe(otherResource);
    expect(reasonOf(await ask(payment, { url: `${path}?more=1` }))).toBe(otherResource);
  });
});

describe('a payment for another method of the same URL', () => {
  const requestOf = (method: string) => ({ method, url: path });

  it.each([
    ['GET', 'POST', 0],
    ['GET', 'POST', 1],
    ['POST', 'GET', 0],
    ['POST', 'GET', 1],
    ['POST', 'PUT', 1],
  ])(
    'fails because of its accepted offer: signed for %s, sent with %s, offer %s',
    async (method, sent, offer) => {
      const { ledger, ask, required } = sell();
      const payment = await headerFor(await required({ method }), { method, offer });
      expect(reasonOf(await ask(payment, requestOf(sent)))).toBe(otherResource);
      expect(ledger.balanceOf(seller)).toBe(0n);
      grantOf(await ask(payment, requestOf(method)));
    },
  );

  it('fails because of the hash in its compact token, without a message to the ledger service', async () => {
    const { ledger, ask, required } = sell();
    const token = compactOf(await headerFor(await required()), resourceHash('GET', baseUrl + path));
    expect(reasonOf(await ask(token, requestOf('POST')))).toBe(otherResource);
    expect(ledger.messages).toEqual([]);
    grantOf(await ask(token));
  });

  it.each<[string, (document: Record<string, unknown>) => object]>([
    ['contains no offer', ({ accepted: _accepted, ...rest }) => rest],
    [
      'contains an offer with only the fields of x402',
      (document) => ({ ...document, accepted: bare(document) }),
    ],
  ])('fails because of its signature if the header %s', async (_, change) => {
    const { ask, required } = sell();
    const headers = await Promise.all(
      ['GET', 'POST'].map(async (method) => headerFor(await required({ method }), { method })),
    );
    const [forGet, forPost] = headers.map((header) => base64Json(change(readHeader(header))));
    expect(reasonOf(await ask(forGet, requestOf('POST')))).toBe('invalid_ton_nanopay_signature');
    // The paywall does not guess the method of such a header.
    grantOf(await ask(forPost, requestOf('POST')));
  });

  it('differs from a payment with a wrong signature', async () => {
    const { ask, pay } = sell();
    const wrong = await pay({ authorization: { nonce: 'ab'.repeat(32) } });
    expect(reasonOf(await ask(wrong))).toBe('invalid_ton_nanopay_signature');
  });

  it('fails with any other reason of the ledger service', async () => {
    const { ledger, ask, pay } = sell();
    ledger.instead = () => aRejectedOutcome();
    expect(reasonOf(await ask(await pay(), requestOf('POST')))).toBe('insufficient_funds');
  });

  it('gets a grant if it is not bound to a resource', async () => {
    const { ask, pay } = sell();
    grantOf(await ask(await pay({ flags: 0 }), requestOf('POST')));
    const wrong = await pay({ flags: 0, authorization: { nonce: 'ab'.repeat(32) } });
    expect(reasonOf(await ask(wrong, requestOf('POST')))).toBe('invalid_ton_nanopay_signature');
  });

  function bare({ accepted }: Record<string, unknown>): object {
    const { extra: _extra, ...offer } = accepted as Record<string, unknown>;
    return offer;
  }

  function compactOf(header: string, hash: Buffer): string {
    const { payload } = readHeader<{ payload: SignedPayload }>(header);
    const { authorization, signature } = payload;
    return compactToken({
      flags: authorization.flags,
      nonce: Buffer.from(authorization.nonce, 'hex'),
      resourceHash: hash,
      validAfterS: BigInt(authorization.validAfter),
      validBeforeS: BigInt(authorization.validBefore),
      publicKey: Buffer.from(authorization.publicKey, 'hex'),
      signature: Buffer.from(signature, 'base64'),
    });
  }
});

describe('a rejected payment', () => {
  const foreign = `0:${'33'.repeat(32)}`;
  it.each<[Rejection, HeaderChanges]>([
    ['invalid_x402_version', { document: { x402Version: 1 } }],
    ['invalid_payload', { document: { payload: {} } }],
    ['nonce_required', { document: { payload: { authorization: {} } } }],
    ['unsupported_scheme', { document: { accepted: { ...offer(), scheme: 'exact' } } }],
    ['invalid_network', { document: { accepted: { ...offer(), network: 'tvm:-3' } } }],
    ['invalid_ton_nanopay_asset_mismatch', { document: { accepted: { ...offer(), asset: foreign } } }],
    ['invalid_ton_nanopay_recipient_mismatch', { terms: { to: foreign } }],
    ['invalid_ton_nanopay_recipient_mismatch', { authorization: { to: foreign } }],
    ['invalid_ton_nanopay_amount_mismatch', { terms: { amountAtomic: 999n } }],
    ['invalid_ton_nanopay_amount_mismatch', { authorization: { amount: '1' } }],
    ['invalid_ton_nanopay_valid_after', { nowMs: Date.now() + 3_600_000 }],
    ['invalid_ton_nanopay_valid_before', { nowMs: Date.now() - 120_000 }],
    ['invalid_ton_nanopay_valid_before', { terms: { maxTimeoutS: 10_000 } }],
    ['invalid_ton_nanopay_resource_mismatch', { document: { resource: { url: `${baseUrl}/other` } } }],
    ['invalid_ton_nanopay_signature', { authorization: { nonce: 'ab'.repeat(32) } }],
    ['invalid_ton_nanopay_signature', { terms: { verifyingContract: foreign } }],
    ['invalid_ton_nanopay_unknown_key', { authorization: { publicKey: 'cd'.repeat(32) } }],
  ])('answers with %s and a fresh price', async (reason, changes) => {
    const { ledger, ask, pay } = sell();
    const verdict = await ask(await pay(changes));
    expect(verdict.kind).toBe('payment_required');
    const { status, headers, body } = answerOf(verdict);
    expect(status).toBe(402);
    expect(reasonOf(verdict)).toBe(reason);
    expect(readHeader(headers['PAYMENT-RESPONSE'])).toMatchObject({
      success: false,
      errorReason: reason,
      transaction: '',
      network: 'ton-mainnet',
    });
    expect(JSON.parse(body.toString())).toMatchObject({ code: reason, x402Version: 2 });
    expect(ledger.balanceOf(seller)).toBe(0n);
  });

  it.each(rejections)('answers with the reason %s of the ledger service', async (reason) => {
    const { ledger, ask, pay } = sell();
    const approvalId = reason === 'approval_required' ? Buffer.alloc(16, 0xab) : undefined;
    const retryAfterS = reason === 'rate_limited' ? 17 : 0;
    ledger.instead = () => aRejectedOutcome({ reason, retryAfterS, approvalId });
    const verdict = await ask(await pay());
    const { headers, body } = answerOf(verdict);
    expect(reasonOf(verdict)).toBe(reason);
    expect(verdict.kind).toBe(reason === 'rate_limited' ? 'rate_limited' : 'payment_required');
    expect(headers['Retry-After']).toBe(retryAfterS > 0 ? '17' : undefined);
    const response = readHeader<{ extra?: object }>(headers['PAYMENT-RESPONSE']);
    expect(response).toMatchObject({ success: false, errorReason: reason });
    expect(response.extra).toEqual(approvalId && { approvalId: 'ab'.repeat(16) });
    expect(headers['Content-Length']).toBe(Buffer.byteLength(body).toString());
    // Details of one buyer must not reach the next buyer.
    expect(answerOf(await ask()).headers['Retry-After']).toBeUndefined();
  });

  it('answers with insufficient_funds when the balance is too low', async () => {
    const { ask, pay } = sell({}, { amount: '1000001' });
    expect(reasonOf(await ask(await pay()))).toBe('insufficient_funds');
  });

  function offer() {
    return {
      scheme: 'ton-nanopay',
      network: 'ton-mainnet',
      amount: '1000',
      to: seller,
      payTo: seller,
      asset: 'USDT',
      maxTimeoutSeconds: 60,
    };
  }
});

describe('a malformed payment header', () => {
  const deep = Buffer.from('['.repeat(4_000)).toString('base64');
  const hostile: [string, string | string[]][] = [
    ['empty', ''],
    ['no base64', '!!!! not base64 !!!!'],
    ['no JSON', Buffer.from('{"x402Version":').toString('base64')],
    ['a list', base64Json([1, 2, 3])],
    ['too long', 'A'.repeat(20_000)],
    ['too deep', deep],
    ['deep inside', Buffer.from('{"a":'.repeat(1_000) + '1' + '}'.repeat(1_000)).toString('base64')],
    ['there twice', ['e30=', 'e30=']],
    ['two values', 'e30=, e30='],
    ['half a compact token', 'np1.AAAA'],
  ];

  it.each(hostile)('returns 400 for %s, without a message to the ledger service', async (_name, payment) => {
    const { ledger, ask } = sell();
    const verdict = await ask(payment);
    expect(verdict.kind).toBe('malformed');
    const { status, headers } = answerOf(verdict);
    expect(status).toBe(400);
    expect(headers['PAYMENT-REQUIRED']).toBeUndefined();
    expect(ledger.messages).toHaveLength(0);
  });

  it('counts as repeated in any letter case', () => {
    const seen = (rawHeaders: string[], joined: string | undefined) =>
      paymentHeaderOf({ headers: joined === undefined ? {} : { 'payment-signature': joined }, rawHeaders });
    expect(seen(['Host', 'x'], undefined)).toBeUndefined();
    expect(seen(['Host', 'payment-signature', 'PAYMENT-Signature', 'a'], 'a')).toBe('a');
    expect(seen(['Payment-Signature', 'a', 'payment-signature', ''], 'a, ')).toEqual(['a', '']);
  });

  it('takes less than 0.2 ms to reject', async () => {
    const { route } = sell();
    for (const [name, payment] of hostile) {
      const timesMs: number[] = [];
      for (let at = 0; at < 1_000; at++) {
        const startMs = performance.now();
        void route.decide({ method: 'GET', url: path, payment });
        timesMs.push(performance.now() - startMs);
      }
      const medianMs = timesMs.sort((one, other) => one - other)[500]!;
      // Ten times the value measured on a quiet machine.
      expect({ name, isCheap: medianMs < 0.2 }).toEqual({ name, isCheap: true });
    }
  });
});

describe('a payment with an unknown outcome', () => {
  it('returns 503 without a new price, and is granted when it is repeated', async () => {
    const { ledger, ask, pay } = sell();
    const payment = await pay();
    ledger.lose = () => 'reply';
    const verdict = await ask(payment);
    expect(verdict.kind).toBe('unknown');
    const { status, headers, body } = answerOf(verdict);
    expect(status).toBe(503);
    expect(headers['Retry-After']).toBe('1');
    expect(headers['PAYMENT-REQUIRED']).toBeUndefined();
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'outcome_unknown' });
    // The paywall sent the payment twice under one key, and it was charged once.
    expect(ledger.messages).toHaveLength(2);
    expect(ledger.balanceOf(seller)).toBe(1_000n);
    ledger.lose = undefined;
    const both = await Promise.all([ask(payment), ask(payment)]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(['granted', 'payment_required']);
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('resolves with the second attempt within one request', async () => {
    const { ledger, ask, pay } = sell();
    let lost = 0;
    ledger.lose = () => (lost++ === 0 ? 'reply' : undefined);
    grantOf(await ask(await pay()));
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it("appears in a report when it cannot be refunded after the seller's payout", async () => {
    const failed: string[] = [];
    const { ledger, ask, pay } = sell({ onRefundFailed: (confirmationId) => failed.push(confirmationId) });
    const grant = grantOf(await ask(await pay()));
    ledger.instead = ({ kind }) =>
      kind === 'void' ? aRejectedOutcome({ reason: 'payment_paid_out' }) : undefined;
    expect(await grant.refund()).toEqual(grant.headers);
    expect(failed).toEqual([grant.payment.confirmationId]);
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('waits for the outcome no longer than the budget', async () => {
    const { route, pay } = sell({
      budgetMs: 200,
      messageTimeoutMs: 50,
      transport: { send: () => new Promise(() => undefined) },
    });
    const startMs = performance.now();
    const verdict = await route.decide({ method: 'GET', url: path, payment: await pay() });
    expect(verdict.kind).toBe('unknown');
    expect(performance.now() - startMs).toBeLessThan(3_000);
  });

  it.each([
    ['payment', { digest: Buffer.alloc(32) }],
    ['amount', { amountAtomic: 999n }],
  ])('stays unknown when the reply is for another %s', async (_name, other) => {
    const { ledger, pay } = sell();
    const swapped: Transport = {
      send: async (items) =>
        (await ledger.send(items)).map((outcome) => ({ ...outcome, ...other }) as Outcome),
    };
    const { route } = sell({ transport: swapped });
    expect((await route.decide({ method: 'GET', url: path, payment: await pay() })).kind).toBe('unknown');
  });

  it('gets no grant at a price above the charged amount', async () => {
    const { ledger, paywall } = sampleHarness();
    const [cheap, dear] = ['1', '1000'].map((amount) => paywall.route({ amount, url: `${baseUrl}/any` }));
    const request = { method: 'GET', url: '/any' };
    const first = answerOf(await dear!.decide({ ...request, payment: undefined }));
    const header = await headerFor(first.headers['PAYMENT-REQUIRED']!, { flags: flags.upTo });
    const { accepted: _chosen, ...document } = readHeader<Record<string, unknown>>(header);
    const payment = base64Json(document);
    ledger.lose = () => 'reply';
    expect((await cheap!.decide({ ...request, payment })).kind).toBe('unknown');
    ledger.lose = undefined;
    // The ledger service has charged 1 for the payment, and repeats this outcome.
    expect((await dear!.decide({ ...request, payment })).kind).toBe('unknown');
  });

  it('stays unknown when the receipt is not by the pinned key', async () => {
    const { ask, pay } = sell({ enclaveKey: 'ee'.repeat(32) });
    expect((await ask(await pay())).kind).toBe('unknown');
    const pinned = sampleHarness().ledger.publicKey;
    const { ask: askPinned, pay: payPinned } = sell({ enclaveKey: pinned });
    grantOf(await askPinned(await payPinned()));
    // During a key rotation of the ledger service, sellers trust both keys.
    const both = sell({ enclaveKey: ['ee'.repeat(32), pinned] });
    grantOf(await both.ask(await both.pay()));
  });
});

describe('a payment that its buyer has charged by a call without a key', () => {
  const keyless = (item: FrameItem): FrameItem => ({
    ...item,
    callKey: Buffer.concat([keylessCallPrefix, randomBytes(8)]),
  });

  /** A paywall and a payment that was charged by a client that serves no request. */
  async function charged(changes: HeaderChanges = {}) {
    const harness = sell();
    const { ledger, pay } = harness;
    const payment = await pay(changes);
    const elsewhere = sell({ transport: { send: (items) => ledger.send(items.map(keyless)) } });
    grantOf(await elsewhere.ask(payment));
    return { ...harness, payment };
  }

  it.each([[{}], [{ identifier }]])('gets one grant in 20 concurrent requests, with %j', async (changes) => {
    const { ledger, route, payment } = await charged(changes);
    const { route: second } = sell({ transport: ledger });
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, async (_, at) =>
        (at % 2 === 0 ? route : second).decide({ method: 'GET', url: path, payment }),
      ),
    );
    expect(verdicts.filter(({ kind }) => kind === 'granted')).toHaveLength(1);
    expect([ledger.balanceOf(seller), ledger.balanceOf(buyerAddress)]).toEqual([1_000n, 999_000n]);
  });

  it('gets refunded when the handler fails', async () => {
    const { ledger, ask, payment } = await charged();
    await grantOf(await ask(payment)).refund();
    expect([ledger.balanceOf(seller), ledger.balanceOf(buyerAddress)]).toEqual([0n, 1_000_000n]);
    expect(reasonOf(await ask(payment))).toBe('duplicate_settlement');
  });

  it('stays a duplicate when it specifies no resource', async () => {
    const { ask, payment } = await charged({ flags: 0 });
    expect(reasonOf(await ask(payment))).toBe('duplicate_settlement');
  });
});

describe('an expired payment with an unknown outcome', () => {
  const late = 'invalid_ton_nanopay_valid_before';
  // Longer than the validity of every payment here, plus the tolerance for clock differences.
  const validMs = 66_000;
  const pass = (timeMs: number) => jest.advanceTimersByTimeAsync(timeMs);

  beforeEach(() => {
    const doNotFake = ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] as const;
    // A whole second, because the validity of payments ends with whole seconds.
    jest.useFakeTimers({ now: 1_800_000_000_000, doNotFake: [...doNotFake] });
  });
  afterEach(() => void jest.useRealTimers());

  /** A paywall and a payment with a lost charge message or a lost reply. */
  async function unanswered(lost: 'message' | 'reply', changes: HeaderChanges = {}) {
    const harness = sell();
    const { ledger, ask, pay } = harness;
    const payment = await pay(changes);
    ledger.lose = () => lost;
    expect((await ask(payment)).kind).toBe('unknown');
    return { ...harness, payment };
  }
  const expectNoPrice = (verdict: Verdict) => {
    const { status, headers } = answerOf(verdict);
    expect([status, headers['PAYMENT-REQUIRED'], headers['Retry-After']]).toEqual([503, undefined, '1']);
  };

  it('gets refunded half a minute later without a retry', async () => {
    const { ledger, pay, ask } = await unanswered('reply');
    ledger.lose = undefined;
    await pass(90_000);
    expect(ledger.balanceOf(seller)).toBe(1_000n);
    await pass(6_000);
    expect(ledger.balanceOf(seller)).toBe(0n);
    expect(ledger.balanceOf(buyerAddress)).toBe(1_000_000n);
    grantOf(await ask(await pay()));
  });

  it('gets no new price while the ledger service is unavailable', async () => {
    const { ledger, ask, payment } = await unanswered('reply');
    ledger.lose = () => 'message';
    for (let minute = 0; minute < 10; minute++) {
      await pass(validMs);
      const asked = ask(payment);
      await pass(2_000);
      expectNoPrice(await asked);
    }
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('gets one grant if it was charged, as soon as the ledger service is available', async () => {
    const { ledger, ask, payment } = await unanswered('reply');
    await pass(validMs);
    expectNoPrice(await ask(payment));
    ledger.lose = undefined;
    grantOf(await ask(payment));
    expect(reasonOf(await ask(payment))).toBe(late);
    // The payment is not refunded later.
    await pass(200_000);
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('gets no refund while the buyer keeps retrying', async () => {
    const { ledger, ask, payment } = await unanswered('reply');
    await pass(validMs);
    for (let times = 0; times < 10; times++) {
      expectNoPrice(await ask(payment));
      await pass(20_000);
    }
    ledger.lose = undefined;
    grantOf(await ask(payment));
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('gets a grant in one of two concurrent retries, and no new price in the other', async () => {
    const { ledger, ask, payment } = await unanswered('reply');
    await pass(validMs);
    ledger.lose = undefined;
    const [one, other] = await Promise.all([ask(payment), ask(payment)]);
    grantOf(one);
    expectNoPrice(other);
  });

  it('gets a new price when the ledger service confirms that it was never charged', async () => {
    const { ledger, ask, payment } = await unanswered('message');
    await pass(validMs);
    expectNoPrice(await ask(payment));
    ledger.lose = undefined;
    expect(reasonOf(await ask(payment))).toBe(late);
    expect(ledger.balanceOf(buyerAddress)).toBe(1_000_000n);
  });

  it('gets a new price only after a confirmed refund', async () => {
    const { ledger, ask, payment } = await unanswered('reply');
    // The buyer does not retry, and the messages of the refund are lost.
    await pass(validMs + 40_000);
    const asked = ask(payment);
    await pass(2_000);
    expectNoPrice(await asked);
    ledger.lose = undefined;
    await pass(60_000);
    expect(ledger.balanceOf(buyerAddress)).toBe(1_000_000n);
    expect(reasonOf(await ask(payment))).toBe(late);
    expect(ledger.balanceOf(seller)).toBe(0n);
  });

  it('gets refunded by a late retry after the scheduled attempts were exhausted', async () => {
    const { ledger, ask, payment } = await unanswered('reply');
    ledger.lose = () => 'message';
    await pass(validMs + 300_000);
    ledger.lose = undefined;
    expect(ledger.balanceOf(seller)).toBe(1_000n);
    expect(reasonOf(await ask(payment))).toBe(late);
    expect(ledger.balanceOf(buyerAddress)).toBe(1_000_000n);
  });

  it('gets no new price while its first request is in progress', async () => {
    let answer: () => void = () => undefined;
    const { ledger, route, pay } = sell();
    const slow: Transport = {
      send: (items) => new Promise((resolve) => (answer = () => resolve(ledger.send(items)))),
    };
    const { route: paid } = sell({ transport: slow });
    const request = { method: 'GET', url: path, payment: await pay() };
    await pass(64_500);
    const first = paid.decide(request);
    await turn();
    await pass(1_500);
    expectNoPrice(await paid.decide(request));
    answer();
    expect((await first).kind).toBe('payment_required');
    expect(reasonOf(await paid.decide(request))).toBe(late);
    expect((await route.decide(request)).kind).toBe('payment_required');
  });

  it('gets the stored response if its call had an identifier and a response', async () => {
    const { ledger, ask, payment } = await unanswered('reply', { identifier });
    await pass(validMs);
    expectNoPrice(await ask(payment));
    ledger.lose = undefined;
    const response = { status: 200, headers: {}, body: Buffer.from('kept') };
    grantOf(await ask(payment)).keep(response);
    await turn();
    expect(await ask(payment)).toMatchObject({ kind: 'repeated', answer: response });
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('gets refunded when its retry is rejected after the first attempt was charged', async () => {
    const { ledger, ask, pay } = sell();
    const payment = await pay();
    let lost = 0;
    ledger.lose = () => (lost++ === 0 ? 'reply' : undefined);
    ledger.instead = ({ kind }) =>
      lost > 1 && kind === 'charge' ? aRejectedOutcome({ reason: 'tee_restarted' }) : undefined;
    expect(reasonOf(await ask(payment))).toBe('tee_restarted');
    expect(ledger.balanceOf(seller)).toBe(1_000n);
    await pass(validMs);
    expect(ledger.balanceOf(seller)).toBe(0n);
  });

  it('fails without a message to the ledger service if it first arrives after its expiry', async () => {
    const { ledger, ask, pay } = sell();
    const payments = [await pay(), await pay({ identifier })];
    await pass(validMs);
    for (const payment of payments) expect(reasonOf(await ask(payment))).toBe(late);
    expect(ledger.messages).toEqual([]);
  });
});

describe('refund', () => {
  it('returns one refund receipt for concurrent calls', async () => {
    const { ledger, ask, pay } = sell();
    const grant = grantOf(await ask(await pay()));
    expect([499, 500, 503].map((status) => grant.isRefunded(status))).toEqual([false, true, true]);
    const [headers, again] = await Promise.all([grant.refund(), grant.refund()]);
    expect(again).toBe(headers);
    const response = readHeader<{ success: boolean; extra: { refund: string; receipt: Receipt } }>(
      headers['PAYMENT-RESPONSE'],
    );
    expect(response).toMatchObject({ success: false, errorReason: 'refunded', extra: { refund: 'done' } });
    expect(response.extra.receipt.type).toBe('refund');
    expect(isReceipt(response.extra.receipt, Buffer.from(ledger.publicKey, 'hex'))).toBe(true);
    expect(ledger.balanceOf(buyerAddress)).toBe(1_000_000n);
    expect(ledger.balanceOf(seller)).toBe(0n);
  });

  it('retries while the ledger service is unavailable', async () => {
    const { ledger, ask, pay } = sell();
    const grant = grantOf(await ask(await pay()));
    let lost = 0;
    ledger.lose = () => (lost++ < 2 ? 'message' : undefined);
    expect(readHeader((await grant.refund())['PAYMENT-RESPONSE'])).toMatchObject({ success: false });
    await eventually(() => expect(ledger.balanceOf(seller)).toBe(0n));
  });

  it('uses the statuses that the seller configures', async () => {
    const { ask, pay } = sell({}, { refundOn: (status) => status === 404 });
    const grant = grantOf(await ask(await pay()));
    expect([404, 500].map((status) => grant.isRefunded(status))).toEqual([true, false]);
  });
});

describe('a bound body', () => {
  it('binds the payment to each byte of the body', async () => {
    const { route, ledger } = sell({}, { bindBody: true });
    const request = { method: 'POST', url: path };
    const body = Buffer.from('{"prompt":"a"}');
    const first = answerOf(await route.decide({ ...request, payment: undefined }));
    const required = first.headers['PAYMENT-REQUIRED']!;
    expect(readHeader<PaymentRequired>(required).accepts[1]!.extra.bindBody).toBe(true);
    const payment = await headerFor(required, { method: 'POST', body });
    const other = await route.decide({ ...request, payment, body: Buffer.from('{"prompt":"b"}') });
    expect(reasonOf(other)).toBe('invalid_ton_nanopay_signature');
    const unbound = await headerFor(required, { method: 'POST', body, authorization: { flags: 0 } });
    expect(reasonOf(await route.decide({ ...request, payment: unbound, body }))).toBe(
      'invalid_ton_nanopay_resource_mismatch',
    );
    grantOf(await route.decide({ ...request, payment, body }));
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });
});

describe('a call with a payment-identifier', () => {
  const response = { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('kept') };

  it('gets the same response again without another charge', async () => {
    const { ledger, ask, pay } = sell();
    const payment = await pay({ identifier });
    const grant = grantOf(await ask(payment));
    const meanwhile = await ask(payment);
    expect(answerOf(meanwhile)).toMatchObject({ status: 503, code: 'call_in_progress' });
    grant.keep(response);
    await turn();
    expect(await ask(payment)).toMatchObject({ kind: 'repeated', answer: response });
    expect(ledger.balanceOf(seller)).toBe(1_000n);
  });

  it('conflicts with a second payment and with a second resource', async () => {
    const { ask, pay, required } = sell();
    const grant = grantOf(await ask(await pay({ identifier })));
    grant.keep(response);
    await turn();
    expect(answerOf(await ask(await pay({ identifier })))).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    });
    const elsewhere = await headerFor(await required({ url: '/other' }), { identifier });
    expect(answerOf(await ask(elsewhere, { url: '/other' })).status).toBe(409);
  });

  it('can be paid again after a rejection or a refund', async () => {
    const { ledger, ask, pay } = sell();
    ledger.instead = () => aRejectedOutcome();
    const payment = await pay({ identifier });
    expect(reasonOf(await ask(payment))).toBe('insufficient_funds');
    ledger.instead = undefined;
    await turn();
    await grantOf(await ask(payment)).refund();
    await turn();
    grantOf(await ask(await pay({ identifier })));
  });

  it('charges nothing while the response store fails', async () => {
    const away = { claim: () => Promise.reject(new Error('away')), keep: nothing, release: nothing };
    const { ledger, ask, pay } = sell({ responses: away });
    expect(answerOf(await ask(await pay({ identifier })))).toMatchObject({
      status: 503,
      code: 'payments_unavailable',
    });
    expect(ledger.messages).toHaveLength(0);
    function nothing() {
      return undefined;
    }
  });

  it('MemoryResponses evicts the oldest stored responses above its limits', () => {
    const store = new MemoryResponses({ maxResponses: 2, maxBytes: 10 });
    for (const key of ['a', 'b', 'c']) {
      store.claim(key, key);
      store.keep(key, key, { status: 200, headers: {}, body: Buffer.alloc(4) });
    }
    expect(store.claim('a', 'a').status).toBe('new');
    expect(store.claim('c', 'c').status).toBe('answered');
    expect(store.claim('c', 'other').status).toBe('conflict');
  });

  it('MemoryResponses evicts no stored response for a call in progress, and limits those too', () => {
    const store = new MemoryResponses({ maxResponses: 2 });
    store.claim('answered', 'a');
    store.keep('answered', 'a', response);
    for (const key of ['a', 'b', 'c']) expect(store.claim(key, key).status).toBe('new');
    expect(store.claim('answered', 'a').status).toBe('answered');
    expect(store.claim('c', 'c').status).toBe('running');
    expect(store.claim('a', 'a').status).toBe('new');
  });
});

describe('a paywall that loads its deployment from the gateway', () => {
  const supported = {
    kinds: [
      {
        x402Version: 2,
        scheme: 'ton-nanopay',
        network: 'tvm:-239',
        extra: { verifyingContract: deployment.verifyingContract, teeEndpoint: 'https://tee.example.com' },
      },
    ],
  };
  const answers: (() => Response)[] = [];
  const asked: string[] = [];
  beforeEach(() => {
    asked.length = 0;
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
      asked.push(String(url));
      return answers.shift()!();
    });
  });
  afterEach(() => jest.restoreAllMocks());

  it('loads the deployment once, and pauses after a failure', async () => {
    const paywall = new Paywall({ baseUrl, to: seller, gateway: 'https://pay.example.com/' });
    const route = paywall.route({ amount: '1' });
    const request = { method: 'GET', url: path, payment: undefined };
    answers.push(() => new Response('down', { status: 500 }));
    const first = await Promise.all([route.decide(request), route.decide(request)]);
    expect(first.map((verdict) => answerOf(verdict).status)).toEqual([503, 503]);
    expect(answerOf(await route.decide(request)).code).toBe('payments_unavailable');
    expect(asked).toEqual(['https://pay.example.com/supported']);
    answers.push(() => Response.json(supported));
    await eventually(async () => expect(answerOf(await route.decide(request)).status).toBe(402));
    const header = answerOf(await route.decide(request)).headers['PAYMENT-REQUIRED'];
    expect(readHeader<PaymentRequired>(header).accepts[0]!.extra.teeEndpoint).toBe('https://tee.example.com');
    expect(asked).toHaveLength(2);
  });
});

it('resourceHash equals the test vector of the protocol', () => {
  expect(resourceHash('GET', `${baseUrl}${path}`).toString('hex')).toBe(
    'dee5c9e735c91c824319ee51646dbd6e20050a7e118614cc7234c3029fc72337',
  );
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

export type { MemoryEnclave };
