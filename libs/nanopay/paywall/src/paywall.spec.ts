import {
  base64Json,
  compactToken,
  flags,
  isReceipt,
  rejections,
  resourceHash,
  type Outcome,
  type PaymentRequired,
  type Receipt,
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import {
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
  const { enclave, paywall } = sampleHarness(options);
  const route = paywall.route({ amount: '1000', mimeType: 'application/json', ...sold });
  const ask = async (payment?: string | string[], more: { method?: string; url?: string } = {}) =>
    route.decide({ method: 'GET', url: path, payment, ...more });
  const required = async (more = {}) => answerOf(await ask(undefined, more)).headers['PAYMENT-REQUIRED']!;
  const pay = async (changes: HeaderChanges = {}) => headerFor(await required(), changes);
  return { enclave, paywall, route, ask, required, pay };
}

function answerOf(verdict: Verdict) {
  if (verdict.kind === 'granted') throw new Error('It was granted.');
  return verdict.answer;
}

function grantOf(verdict: Verdict) {
  if (verdict.kind !== 'granted') throw new Error(`${verdict.kind}: ${verdict.answer.body.toString()}`);
  return verdict.grant;
}

const reasonOf = (verdict: Verdict) =>
  readHeader<PaymentRequired>(answerOf(verdict).headers['PAYMENT-REQUIRED']).error;

describe('a request without payment', () => {
  it('is told the price in both forms, byte for byte as they are agreed', async () => {
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
      payTo: seller,
      asset: deployment.asset.master,
      maxTimeoutSeconds: 60,
      extra,
    };
    const seed = { ...caip, network: 'ton-mainnet', to: seller, asset: 'USDT' };
    expect(status).toBe(402);
    const document = readHeader<PaymentRequired>(headers['PAYMENT-REQUIRED']);
    expect(document).toEqual({
      x402Version: 2,
      error: 'payment_required',
      accepts: [seed, caip],
      resource: { url: `${baseUrl}${path}`, mimeType: 'application/json' },
      extensions: { 'payment-identifier': expect.anything() },
    });
    // Strict clients read bodies, and one entry that they do not know would spoil the whole.
    const told = JSON.parse(body.toString()) as PaymentRequired & { code: string };
    expect(told.accepts).toEqual([caip]);
    expect(told.code).toBe('payment_required');
    expect(headers).toMatchObject({ 'Cache-Control': 'no-store', Vary: 'Payment-Signature' });
    expect(headers['Content-Length']).toBe(Buffer.byteLength(body).toString());
  });

  it('gets a header that proxies let pass', async () => {
    const { required } = sell();
    expect((await required()).length).toBeLessThan(2_048);
  });

  it('is answered at once, with what was made before', () => {
    const { route } = sell();
    const request = { method: 'GET', url: path, payment: undefined };
    const first = route.decide(request);
    const second = route.decide({ ...request });
    expect(first).not.toBeInstanceOf(Promise);
    expect(answerOf(second as Verdict)).toBe(answerOf(first as Verdict));
  });

  it('is all that is kept made for a URL: an answer with a reason is not, of which there are many', async () => {
    const { ask, pay, required } = sell();
    const payment = await pay({ terms: { amountAtomic: 999n } });
    const first = answerOf(await ask(payment));
    const second = answerOf(await ask(payment));
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(readHeader<PaymentRequired>(await required()).error).toBe('payment_required');
  });

  it('sees the configured URL, whatever host or form it names', async () => {
    const { ask } = sell();
    const urlOf = async (url: string) =>
      readHeader<PaymentRequired>(answerOf(await ask(undefined, { url })).headers['PAYMENT-REQUIRED'])
        .resource.url;
    expect(await urlOf('http://evil.example/premium-data?a=1')).toBe(`${baseUrl}${path}?a=1`);
    expect(await urlOf('/premium-data?b=2&a=1')).toBe(`${baseUrl}${path}?b=2&a=1`);
    expect(await urlOf('//evil.example/x')).toBe(`${baseUrl}//evil.example/x`);
  });

  it('may be sold whatever is asked of a path, and by a price of its own', async () => {
    const amount = ({ url }: { url: string }) => (url.includes('large') ? 2_000n : '1000');
    const { ask } = sell({ advertiseQuery: false }, { amount });
    const documentOf = async (url: string) =>
      readHeader<PaymentRequired>(answerOf(await ask(undefined, { url })).headers['PAYMENT-REQUIRED']);
    const large = await documentOf('/x?large');
    expect(large.resource.url).toBe(`${baseUrl}/x`);
    expect(large.accepts[0]!.amount).toBe('2000');
    expect((await documentOf('/x?small')).accepts[0]!.amount).toBe('1000');
  });

  it('names the method where it is not GET, because clients have to sign it', async () => {
    const { required } = sell();
    const [offer] = readHeader<PaymentRequired>(await required({ method: 'POST' })).accepts;
    expect(offer!.extra.method).toBe('POST');
  });

  it('cannot make the kept prices grow without end', async () => {
    const { ask, paywall } = sell({ maxQuotes: 10 });
    for (let at = 0; at < 1_000; at++) await ask(undefined, { url: `/premium-data?at=${at}` });
    const { quotes } = (paywall as unknown as { around: { quotes: { size: number } } }).around;
    expect(quotes.size).toBe(10);
    expect(answerOf(await ask(undefined, { url: `/${'x'.repeat(3_000)}` })).status).toBe(414);
  });
});

describe('what cannot be sold', () => {
  it.each(['0', '-1', '1.5', '', '01', '9223372036854775808'])('is a price of %p', (amount) => {
    expect(() => sell({}, { amount })).toThrow('is no price');
  });

  it('is a paywall of which something is missing', () => {
    expect(() => new Paywall({ baseUrl, to: seller })).toThrow('Set `gateway`');
    expect(() => new Paywall({ baseUrl: 'ftp://x', gateway: 'https://x' })).toThrow('base URL');
    expect(() => new Paywall({ baseUrl, gateway: 'https://x' }).route({ amount: '1' })).toThrow(
      'Who is paid',
    );
    expect(() => sell({}, { to: 'nobody' })).toThrow('no account');
    expect(() => sell({ enclaveKey: 'short' })).toThrow('64');
  });
});

describe('a paid request', () => {
  it('is granted, and carries what the enclave has signed', async () => {
    const { enclave, ask, pay } = sell();
    const grant = grantOf(await ask(await pay()));
    expect(grant.payment).toMatchObject({ from: buyerAddress, to: seller, amount: '1000', asset: 'USDT' });
    expect(isReceipt(grant.payment.receipt, Buffer.from(enclave.publicKey, 'hex'))).toBe(true);
    const told = readHeader(grant.headers['PAYMENT-RESPONSE']);
    const { confirmationId, receipt } = grant.payment;
    expect(told).toEqual({
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
    expect(enclave.balanceOf(seller)).toBe(1_000n);
  });

  it('may choose the other form of the offer', async () => {
    const { ask, pay } = sell();
    const grant = grantOf(await ask(await pay({ offer: 1 })));
    expect(readHeader(grant.headers['PAYMENT-RESPONSE'])).toMatchObject({ network: 'tvm:-239' });
  });

  it('is granted once in 1,000 concurrent copies at two guards', async () => {
    // A thousand signatures take their time on a busy machine.
    const patient = { budgetMs: 19_000, messageTimeoutMs: 15_000 };
    const { enclave, paywall, pay } = sell(patient);
    const other = new Paywall({ ...patient, baseUrl, to: seller, deployment, transport: enclave });
    const routes = [paywall, other].map((guard) => guard.route({ amount: '1000' }));
    const payment = await pay();
    const copies = Array.from({ length: 1_000 }, async (_, at) =>
      routes[at % 2]!.decide({ method: 'GET', url: path, payment }),
    );
    const verdicts = await Promise.all(copies);
    expect(verdicts.filter(({ kind }) => kind === 'granted')).toHaveLength(1);
    const others = verdicts.filter(({ kind }) => kind !== 'granted');
    expect(new Set(others.map(reasonOf))).toEqual(new Set(['duplicate_settlement']));
    expect(enclave.balanceOf(seller)).toBe(1_000n);
    // From each guard four that leave within the turn, and one with all others.
    expect(enclave.messages.length).toBeLessThanOrEqual(10);
  });

  it('pays for one method, one path and one query', async () => {
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
    'is told so by the offer that it names: signed for %s, sent with %s, offer %s',
    async (method, sent, offer) => {
      const { enclave, ask, required } = sell();
      const payment = await headerFor(await required({ method }), { method, offer });
      expect(reasonOf(await ask(payment, requestOf(sent)))).toBe(otherResource);
      expect(enclave.balanceOf(seller)).toBe(0n);
      grantOf(await ask(payment, requestOf(method)));
    },
  );

  it('is told so by the hash of a compact token, without asking the enclave', async () => {
    const { enclave, ask, required } = sell();
    const token = compactOf(await headerFor(await required()), resourceHash('GET', baseUrl + path));
    expect(reasonOf(await ask(token, requestOf('POST')))).toBe(otherResource);
    expect(enclave.messages).toEqual([]);
    grantOf(await ask(token));
  });

  it.each<[string, (document: Record<string, unknown>) => object]>([
    ['names no offer', ({ accepted: _accepted, ...rest }) => rest],
    ['names an offer without what is beyond x402', (document) => ({ ...document, accepted: bare(document) })],
  ])('has only its signature to tell it where the header %s', async (_, change) => {
    const { ask, required } = sell();
    const headers = await Promise.all(
      ['GET', 'POST'].map(async (method) => headerFor(await required({ method }), { method })),
    );
    const [forGet, forPost] = headers.map((header) => base64Json(change(readHeader(header))));
    expect(reasonOf(await ask(forGet, requestOf('POST')))).toBe('invalid_ton_nanopay_signature');
    // What such a header does not say is not guessed.
    grantOf(await ask(forPost, requestOf('POST')));
  });

  it('is not blamed for a signature that is wrong for its own method', async () => {
    const { ask, pay } = sell();
    const wrong = await pay({ authorization: { nonce: 'ab'.repeat(32) } });
    expect(reasonOf(await ask(wrong))).toBe('invalid_ton_nanopay_signature');
  });

  it('is told any other reason that the enclave has', async () => {
    const { enclave, ask, pay } = sell();
    enclave.instead = () => ({
      status: 'rejected',
      reason: 'insufficient_funds',
      retryAfterS: 0,
      approvalId: undefined,
    });
    expect(reasonOf(await ask(await pay(), requestOf('POST')))).toBe('insufficient_funds');
  });

  it('pays for any method where it is not bound to a resource', async () => {
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

describe('a rejection', () => {
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
    ['invalid_ton_nanopay_valid_after', { nowMs: Date.now() + 60_000 }],
    ['invalid_ton_nanopay_valid_before', { nowMs: Date.now() - 120_000 }],
    ['invalid_ton_nanopay_valid_before', { terms: { maxTimeoutS: 10_000 } }],
    ['invalid_ton_nanopay_resource_mismatch', { document: { resource: { url: `${baseUrl}/other` } } }],
    ['invalid_ton_nanopay_signature', { authorization: { nonce: 'ab'.repeat(32) } }],
    ['invalid_ton_nanopay_signature', { terms: { verifyingContract: foreign } }],
    ['invalid_ton_nanopay_unknown_key', { authorization: { publicKey: 'cd'.repeat(32) } }],
  ])('%s is told with a fresh price', async (reason, changes) => {
    const { enclave, ask, pay } = sell();
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
    expect(enclave.balanceOf(seller)).toBe(0n);
  });

  it.each(rejections)('%s of the enclave reaches the buyer', async (reason) => {
    const { enclave, ask, pay } = sell();
    const approvalId = reason === 'approval_required' ? Buffer.alloc(16, 0xab) : undefined;
    const retryAfterS = reason === 'rate_limited' ? 17 : 0;
    enclave.instead = () => ({ status: 'rejected', reason, retryAfterS, approvalId });
    const verdict = await ask(await pay());
    const { headers, body } = answerOf(verdict);
    expect(reasonOf(verdict)).toBe(reason);
    expect(verdict.kind).toBe(reason === 'rate_limited' ? 'rate_limited' : 'payment_required');
    expect(headers['Retry-After']).toBe(retryAfterS > 0 ? '17' : undefined);
    const told = readHeader<{ extra?: object }>(headers['PAYMENT-RESPONSE']);
    expect(told).toMatchObject({ success: false, errorReason: reason });
    expect(told.extra).toEqual(approvalId && { approvalId: 'ab'.repeat(16) });
    expect(headers['Content-Length']).toBe(Buffer.byteLength(body).toString());
    // What is told to one buyer is not told to the next.
    expect(answerOf(await ask()).headers['Retry-After']).toBeUndefined();
  });

  it('is the answer to a poor buyer', async () => {
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

describe('a header that cannot be read', () => {
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
    ['two in one', 'e30=, e30='],
    ['half a compact token', 'np1.AAAA'],
  ];

  it.each(hostile)('is answered 400 when it is %s, and the enclave hears nothing', async (_name, payment) => {
    const { enclave, ask } = sell();
    const verdict = await ask(payment);
    expect(verdict.kind).toBe('malformed');
    const { status, headers } = answerOf(verdict);
    expect(status).toBe(400);
    expect(headers['PAYMENT-REQUIRED']).toBeUndefined();
    expect(enclave.messages).toHaveLength(0);
  });

  it('is seen to be there twice, however it is written and whatever Node makes of it', () => {
    const seen = (rawHeaders: string[], joined: string | undefined) =>
      paymentHeaderOf({ headers: joined === undefined ? {} : { 'payment-signature': joined }, rawHeaders });
    expect(seen(['Host', 'x'], undefined)).toBeUndefined();
    expect(seen(['Host', 'payment-signature', 'PAYMENT-Signature', 'a'], 'a')).toBe('a');
    expect(seen(['Payment-Signature', 'a', 'payment-signature', ''], 'a, ')).toEqual(['a', '']);
  });

  it('costs next to nothing', async () => {
    const { route } = sell();
    for (const [name, payment] of hostile) {
      const timesMs: number[] = [];
      for (let at = 0; at < 1_000; at++) {
        const startMs = performance.now();
        void route.decide({ method: 'GET', url: path, payment });
        timesMs.push(performance.now() - startMs);
      }
      const medianMs = timesMs.sort((one, other) => one - other)[500]!;
      // Ten times what was measured on a quiet machine.
      expect({ name, isCheap: medianMs < 0.2 }).toEqual({ name, isCheap: true });
    }
  });
});

describe('a payment of which nobody knows the outcome', () => {
  it('is 503 without a new price, and served when the same comes again', async () => {
    const { enclave, ask, pay } = sell();
    const payment = await pay();
    enclave.lose = () => 'reply';
    const verdict = await ask(payment);
    expect(verdict.kind).toBe('unknown');
    const { status, headers, body } = answerOf(verdict);
    expect(status).toBe(503);
    expect(headers['Retry-After']).toBe('1');
    expect(headers['PAYMENT-REQUIRED']).toBeUndefined();
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'outcome_unknown' });
    // It was asked twice by itself, under one key, and charged once.
    expect(enclave.messages).toHaveLength(2);
    expect(enclave.balanceOf(seller)).toBe(1_000n);
    enclave.lose = undefined;
    const both = await Promise.all([ask(payment), ask(payment)]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(['granted', 'payment_required']);
    expect(enclave.balanceOf(seller)).toBe(1_000n);
  });

  it('is found out by the second attempt within one request', async () => {
    const { enclave, ask, pay } = sell();
    let lost = 0;
    enclave.lose = () => (lost++ === 0 ? 'reply' : undefined);
    grantOf(await ask(await pay()));
    expect(enclave.balanceOf(seller)).toBe(1_000n);
  });

  it('is refunded too if the repetition is rejected, though the first attempt was charged', async () => {
    const { enclave, ask, pay } = sell();
    const late = await pay({ nowMs: Date.now() - 63_500, terms: { maxTimeoutS: 60 } });
    let lost = 0;
    enclave.lose = () => (lost++ === 0 ? 'reply' : undefined);
    enclave.instead = ({ kind }) =>
      lost > 1 && kind === 'charge'
        ? { status: 'rejected', reason: 'tee_restarted', retryAfterS: 0, approvalId: undefined }
        : undefined;
    expect(reasonOf(await ask(late))).toBe('tee_restarted');
    expect(enclave.balanceOf(seller)).toBe(1_000n);
    await until(() => enclave.balanceOf(seller) === 0n);
  });

  it('is told to somebody if it cannot be refunded since the seller was paid out', async () => {
    const failed: string[] = [];
    const { enclave, ask, pay } = sell({ onRefundFailed: (confirmationId) => failed.push(confirmationId) });
    const grant = grantOf(await ask(await pay()));
    enclave.instead = ({ kind }) =>
      kind === 'void'
        ? { status: 'rejected', reason: 'payment_paid_out', retryAfterS: 0, approvalId: undefined }
        : undefined;
    expect(await grant.refund()).toEqual(grant.headers);
    expect(failed).toEqual([grant.payment.confirmationId]);
    expect(enclave.balanceOf(seller)).toBe(1_000n);
  });

  it('is waited for no longer than the budget', async () => {
    const { route, pay } = sell({
      budgetMs: 200,
      messageTimeoutMs: 50,
      transport: { send: () => new Promise(() => undefined) },
    });
    const startMs = performance.now();
    const verdict = await route.decide({ method: 'GET', url: path, payment: await pay() });
    expect(verdict.kind).toBe('unknown');
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });

  it.each([
    ['payment', { digest: Buffer.alloc(32) }],
    ['amount', { amountAtomic: 999n }],
  ])('stays unknown with an answer about another %s', async (_name, other) => {
    const { enclave, pay } = sell();
    const swapped: Transport = {
      send: async (items) =>
        (await enclave.send(items)).map((outcome) => ({ ...outcome, ...other }) as Outcome),
    };
    const { route } = sell({ transport: swapped });
    expect((await route.decide({ method: 'GET', url: path, payment: await pay() })).kind).toBe('unknown');
  });

  it('is not served where more is asked than was charged for it', async () => {
    const { enclave, paywall } = sampleHarness();
    const [cheap, dear] = ['1', '1000'].map((amount) => paywall.route({ amount, url: `${baseUrl}/any` }));
    const request = { method: 'GET', url: '/any' };
    const first = answerOf(await dear!.decide({ ...request, payment: undefined }));
    const header = await headerFor(first.headers['PAYMENT-REQUIRED']!, { flags: flags.upTo });
    const { accepted: _chosen, ...document } = readHeader<Record<string, unknown>>(header);
    const payment = base64Json(document);
    enclave.lose = () => 'reply';
    expect((await cheap!.decide({ ...request, payment })).kind).toBe('unknown');
    enclave.lose = undefined;
    // The enclave has charged 1 for it, and says so again.
    expect((await dear!.decide({ ...request, payment })).kind).toBe('unknown');
  });

  it('comes of a receipt by another key than the pinned one', async () => {
    const { ask, pay } = sell({ enclaveKey: 'ee'.repeat(32) });
    expect((await ask(await pay())).kind).toBe('unknown');
    const pinned = sampleHarness().enclave.publicKey;
    const { ask: askPinned, pay: payPinned } = sell({ enclaveKey: pinned });
    grantOf(await askPinned(await payPinned()));
  });
});

describe('a payment whose time is over while nobody knows its outcome', () => {
  const late = 'invalid_ton_nanopay_valid_before';
  // Longer than any payment here is valid, and clocks differ.
  const validMs = 66_000;
  const pass = (timeMs: number) => jest.advanceTimersByTimeAsync(timeMs);

  beforeEach(() => {
    const doNotFake = ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] as const;
    // Payments end with whole seconds.
    jest.useFakeTimers({ now: 1_800_000_000_000, doNotFake: [...doNotFake] });
  });
  afterEach(() => void jest.useRealTimers());

  /** A request whose charge, or the answer to it, was lost. */
  async function unanswered(lost: 'message' | 'reply', changes: HeaderChanges = {}) {
    const harness = sell();
    const { enclave, ask, pay } = harness;
    const payment = await pay(changes);
    enclave.lose = () => lost;
    expect((await ask(payment)).kind).toBe('unknown');
    return { ...harness, payment };
  }
  const expectNoPrice = (verdict: Verdict) => {
    const { status, headers } = answerOf(verdict);
    expect([status, headers['PAYMENT-REQUIRED'], headers['Retry-After']]).toEqual([503, undefined, '1']);
  };

  it('is refunded a while later if nobody has come for it', async () => {
    const { enclave, pay, ask } = await unanswered('reply');
    enclave.lose = undefined;
    await pass(90_000);
    expect(enclave.balanceOf(seller)).toBe(1_000n);
    await pass(6_000);
    expect(enclave.balanceOf(seller)).toBe(0n);
    expect(enclave.balanceOf(buyerAddress)).toBe(1_000_000n);
    grantOf(await ask(await pay()));
  });

  it('is no reason to pay anew while the enclave cannot be asked, however long that takes', async () => {
    const { enclave, ask, payment } = await unanswered('reply');
    enclave.lose = () => 'message';
    for (let minute = 0; minute < 10; minute++) {
      await pass(validMs);
      const asked = ask(payment);
      await pass(2_000);
      expectNoPrice(await asked);
    }
    expect(enclave.balanceOf(seller)).toBe(1_000n);
  });

  it('is served once if it was charged, as soon as the enclave can be asked', async () => {
    const { enclave, ask, payment } = await unanswered('reply');
    await pass(validMs);
    expectNoPrice(await ask(payment));
    enclave.lose = undefined;
    grantOf(await ask(payment));
    expect(reasonOf(await ask(payment))).toBe(late);
    // It is not given back later.
    await pass(200_000);
    expect(enclave.balanceOf(seller)).toBe(1_000n);
  });

  it('waits for who comes again and again', async () => {
    const { enclave, ask, payment } = await unanswered('reply');
    await pass(validMs);
    for (let times = 0; times < 10; times++) {
      expectNoPrice(await ask(payment));
      await pass(20_000);
    }
    enclave.lose = undefined;
    grantOf(await ask(payment));
    expect(enclave.balanceOf(seller)).toBe(1_000n);
  });

  it('is served once to two who come at the same time, and the other is not asked to pay', async () => {
    const { enclave, ask, payment } = await unanswered('reply');
    await pass(validMs);
    enclave.lose = undefined;
    const [one, other] = await Promise.all([ask(payment), ask(payment)]);
    grantOf(one);
    expectNoPrice(other);
  });

  it('is told a new price when the enclave says that it was never charged', async () => {
    const { enclave, ask, payment } = await unanswered('message');
    await pass(validMs);
    expectNoPrice(await ask(payment));
    enclave.lose = undefined;
    expect(reasonOf(await ask(payment))).toBe(late);
    expect(enclave.balanceOf(buyerAddress)).toBe(1_000_000n);
  });

  it('is told a new price when it was refunded, and not before that is sure', async () => {
    const { enclave, ask, payment } = await unanswered('reply');
    // Nobody comes, and what would give it back is lost.
    await pass(validMs + 40_000);
    const asked = ask(payment);
    await pass(2_000);
    expectNoPrice(await asked);
    enclave.lose = undefined;
    await pass(60_000);
    expect(enclave.balanceOf(buyerAddress)).toBe(1_000_000n);
    expect(reasonOf(await ask(payment))).toBe(late);
    expect(enclave.balanceOf(seller)).toBe(0n);
  });

  it('is refunded at last when its buyer comes after nobody tried any more', async () => {
    const { enclave, ask, payment } = await unanswered('reply');
    enclave.lose = () => 'message';
    await pass(validMs + 300_000);
    enclave.lose = undefined;
    expect(enclave.balanceOf(seller)).toBe(1_000n);
    expect(reasonOf(await ask(payment))).toBe(late);
    expect(enclave.balanceOf(buyerAddress)).toBe(1_000_000n);
  });

  it('is no reason to pay anew while the first request with it is still being asked for', async () => {
    let answer: () => void = () => undefined;
    const { enclave, route, pay } = sell();
    const slow: Transport = {
      send: (items) => new Promise((resolve) => (answer = () => resolve(enclave.send(items)))),
    };
    const { route: guarded } = sell({ transport: slow });
    const request = { method: 'GET', url: path, payment: await pay() };
    await pass(64_500);
    const first = guarded.decide(request);
    await turn();
    await pass(1_500);
    expectNoPrice(await guarded.decide(request));
    answer();
    expect((await first).kind).toBe('payment_required');
    expect(reasonOf(await guarded.decide(request))).toBe(late);
    expect((await route.decide(request)).kind).toBe('payment_required');
  });

  it('is answered as before if its call has a name and was answered', async () => {
    const { enclave, ask, payment } = await unanswered('reply', { identifier });
    await pass(validMs);
    expectNoPrice(await ask(payment));
    enclave.lose = undefined;
    const response = { status: 200, headers: {}, body: Buffer.from('kept') };
    grantOf(await ask(payment)).keep(response);
    await turn();
    expect(await ask(payment)).toMatchObject({ kind: 'repeated', answer: response });
    expect(enclave.balanceOf(seller)).toBe(1_000n);
  });

  it('was never here: it is too late, whatever its name, and the enclave is not asked', async () => {
    const { enclave, ask, pay } = sell();
    const payments = [await pay(), await pay({ identifier })];
    await pass(validMs);
    for (const payment of payments) expect(reasonOf(await ask(payment))).toBe(late);
    expect(enclave.messages).toEqual([]);
  });
});

describe('what is refunded', () => {
  it('is told with a receipt of it, once', async () => {
    const { enclave, ask, pay } = sell();
    const grant = grantOf(await ask(await pay()));
    expect([499, 500, 503].map((status) => grant.isRefunded(status))).toEqual([false, true, true]);
    const [headers, again] = await Promise.all([grant.refund(), grant.refund()]);
    expect(again).toBe(headers);
    const told = readHeader<{ success: boolean; extra: { refund: string; receipt: Receipt } }>(
      headers['PAYMENT-RESPONSE'],
    );
    expect(told).toMatchObject({ success: false, errorReason: 'refunded', extra: { refund: 'done' } });
    expect(told.extra.receipt.type).toBe('refund');
    expect(isReceipt(told.extra.receipt, Buffer.from(enclave.publicKey, 'hex'))).toBe(true);
    expect(enclave.balanceOf(buyerAddress)).toBe(1_000_000n);
    expect(enclave.balanceOf(seller)).toBe(0n);
  });

  it('is tried again while the enclave is not heard', async () => {
    const { enclave, ask, pay } = sell();
    const grant = grantOf(await ask(await pay()));
    let lost = 0;
    enclave.lose = () => (lost++ < 2 ? 'message' : undefined);
    expect(readHeader((await grant.refund())['PAYMENT-RESPONSE'])).toMatchObject({ success: false });
    expect(enclave.balanceOf(seller)).toBe(0n);
  });

  it('depends on what the seller says', async () => {
    const { ask, pay } = sell({}, { refundOn: (status) => status === 404 });
    const grant = grantOf(await ask(await pay()));
    expect([404, 500].map((status) => grant.isRefunded(status))).toEqual([true, false]);
  });
});

describe('a body that is bound', () => {
  it('is paid for as it is, and no other', async () => {
    const { route, enclave } = sell({}, { bindBody: true });
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
    expect(enclave.balanceOf(seller)).toBe(1_000n);
  });
});

describe('a call that the buyer has named', () => {
  const response = { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('kept') };

  it('is answered again without another charge', async () => {
    const { enclave, ask, pay } = sell();
    const payment = await pay({ identifier });
    const grant = grantOf(await ask(payment));
    const meanwhile = await ask(payment);
    expect(answerOf(meanwhile)).toMatchObject({ status: 503, code: 'call_in_progress' });
    grant.keep(response);
    await turn();
    expect(await ask(payment)).toMatchObject({ kind: 'repeated', answer: response });
    expect(enclave.balanceOf(seller)).toBe(1_000n);
  });

  it('is a conflict with another payment, and at another resource', async () => {
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

  it('can be made anew after a rejection or a refund', async () => {
    const { enclave, ask, pay } = sell();
    enclave.instead = () => ({
      status: 'rejected',
      reason: 'insufficient_funds',
      retryAfterS: 0,
      approvalId: undefined,
    });
    const payment = await pay({ identifier });
    expect(reasonOf(await ask(payment))).toBe('insufficient_funds');
    enclave.instead = undefined;
    await turn();
    await grantOf(await ask(payment)).refund();
    await turn();
    grantOf(await ask(await pay({ identifier })));
  });

  it('is not charged while the store is away', async () => {
    const away = { claim: () => Promise.reject(new Error('away')), keep: nothing, release: nothing };
    const { enclave, ask, pay } = sell({ responses: away });
    expect(answerOf(await ask(await pay({ identifier })))).toMatchObject({
      status: 503,
      code: 'payments_unavailable',
    });
    expect(enclave.messages).toHaveLength(0);
    function nothing() {
      return undefined;
    }
  });

  it('is forgotten when there are too many', () => {
    const store = new MemoryResponses({ maxResponses: 2, maxBytes: 10 });
    for (const key of ['a', 'b', 'c']) {
      store.claim(key, key);
      store.keep(key, key, { status: 200, headers: {}, body: Buffer.alloc(4) });
    }
    expect(store.claim('a', 'a').status).toBe('new');
    expect(store.claim('c', 'c').status).toBe('answered');
    expect(store.claim('c', 'other').status).toBe('conflict');
  });

  it('is not forgotten for any number of calls whose payments nobody has checked, which are bounded too', () => {
    const store = new MemoryResponses({ maxResponses: 2 });
    store.claim('answered', 'a');
    store.keep('answered', 'a', response);
    for (const key of ['a', 'b', 'c']) expect(store.claim(key, key).status).toBe('new');
    expect(store.claim('answered', 'a').status).toBe('answered');
    expect(store.claim('c', 'c').status).toBe('running');
    expect(store.claim('a', 'a').status).toBe('new');
  });
});

describe('a paywall that asks its gateway', () => {
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

  it('does so once for all, and not again at once if there was no answer', async () => {
    const paywall = new Paywall({ baseUrl, to: seller, gateway: 'https://pay.example.com/' });
    const route = paywall.route({ amount: '1' });
    const request = { method: 'GET', url: path, payment: undefined };
    answers.push(() => new Response('down', { status: 500 }));
    const first = await Promise.all([route.decide(request), route.decide(request)]);
    expect(first.map((verdict) => answerOf(verdict).status)).toEqual([503, 503]);
    expect(answerOf(await route.decide(request)).code).toBe('payments_unavailable');
    expect(asked).toEqual(['https://pay.example.com/supported']);
    answers.push(() => Response.json(supported));
    await until(async () => answerOf(await route.decide(request)).status === 402, 3_000);
    const header = answerOf(await route.decide(request)).headers['PAYMENT-REQUIRED'];
    expect(readHeader<PaymentRequired>(header).accepts[0]!.extra.teeEndpoint).toBe('https://tee.example.com');
    expect(asked).toHaveLength(2);
  });
});

it('signs for what the protocol says', () => {
  expect(resourceHash('GET', `${baseUrl}${path}`).toString('hex')).toBe(
    'dee5c9e735c91c824319ee51646dbd6e20050a7e118614cc7234c3029fc72337',
  );
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function until(isSo: () => boolean | Promise<boolean>, timeoutMs = 5_000): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('It did not happen.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export type { MemoryEnclave };
