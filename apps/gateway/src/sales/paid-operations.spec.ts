import { keccak_256 } from '@noble/hashes/sha3';
import { smsApi, swapQuotesApi, type SaleReply } from '@tollbridge/contracts';
import { DomainError, type BusOperation } from '@tollbridge/rpc';
import { operationRoutes } from '../routes/gateway-routes';
import { GatewayHarness, samplePublicUrl } from '../testing/gateway-harness';

type Json = Record<string, any>;

const offer = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '660000',
  asset: `0x${'aa'.repeat(20)}`,
  payTo: `0x${'bb'.repeat(20)}`,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2', offer: 'the-signed-offer' },
};
const specificationForm = { scheme: 'ton-nanopay', network: 'ton-mainnet', amount: '660000' };
const quote = {
  accepts: [specificationForm, offer],
  priceUsd: '0.66',
  isFrom: false,
  refundPolicy: { 'refund-policy': {} },
};
const body = '{"service":"tg","country":44}';
const payment = Buffer.from('{"x402Version":2}').toString('base64');
const paid = { 'payment-signature': payment };

let harness: GatewayHarness;
let calls: [name: string, input: Json][];
let sold: SaleReply | DomainError;
let isUnsold: boolean;
/** Field errors in the body, which the service reports before it sells. */
let problems: { field: string; message: string }[] | undefined;

const jsonOf = (header: unknown): Json => JSON.parse(Buffer.from(String(header), 'base64').toString());

beforeEach(async () => {
  calls = [];
  isUnsold = false;
  problems = undefined;
  const call = async ({ name }: BusOperation, input: Json): Promise<unknown> => {
    calls.push([name, input]);
    if (name === 'quoteSale' && isUnsold) throw new DomainError('NOT_FOUND');
    if (name === 'quoteSale') return problems ? { ...quote, isFrom: true, problems } : quote;
    if (name === 'readSold') return { output: { status: 'STATUS_WAIT_CODE' } };
    if (sold instanceof DomainError) throw sold;
    return sold;
  };
  harness = await GatewayHarness.open({
    routes: [...operationRoutes(smsApi), ...operationRoutes(swapQuotesApi)],
    call: call as never,
  });
  harness.admit = (_rule, request) => void (request.isSale = true);
});
afterEach(() => harness.close());

describe('a sold operation without a payment', () => {
  it.each([undefined, '', '{', '{"service":1}', '[]'])(
    'returns 402 before the body is validated: %j',
    async (given) => {
      const reply = await harness.send('POST', '/sms/number', given === undefined ? {} : { body: given });
      expect(reply.statusCode).toBe(402);
      expect(calls[0]![0]).toBe('quoteSale');
    },
  );

  it('returns 401 for an operation that the operator does not sell', async () => {
    isUnsold = true;
    const reply = await harness.send('POST', '/sms/number', { body });
    expect([reply.statusCode, JSON.parse(reply.body).details]).toEqual([401, { reason: 'missing' }]);
  });

  it('lists the invalid fields of a body', async () => {
    problems = [{ field: 'service', message: 'is missing' }];
    const [wrong, unreadable] = [
      await harness.send('POST', '/sms/number', { body: '{}' }),
      await harness.send('POST', '/sms/number', { body: '{"service":' }),
    ].map((reply) => JSON.parse(reply.body));
    expect(wrong).toMatchObject({
      code: 'payment_required',
      error:
        'Payment required, from $0.66. The request is not valid: service is missing. Send a valid body to get its price.',
      details: problems,
    });
    expect(unreadable).toMatchObject({ details: [{ field: 'body', message: expect.any(String) }] });
  });

  it('returns the price of the body, the payment options and the refund policy as specified by x402 version 2', async () => {
    const reply = await harness.send('POST', '/sms/number', { body });
    const document = {
      x402Version: 2,
      error: 'payment_required',
      resource: {
        url: `${samplePublicUrl}/sms/number`,
        description: 'Rent a number for one code',
        mimeType: 'application/json',
      },
      accepts: [specificationForm, { ...offer, to: offer.payTo }],
      extensions: { bazaar: expect.objectContaining({ info: expect.anything() }), 'refund-policy': {} },
    };
    expect(jsonOf(reply.headers['payment-required'])).toEqual(document);
    expect(JSON.parse(reply.body)).toMatchObject({
      ...document,
      error: expect.stringContaining('$0.66'),
      code: 'payment_required',
      isFrom: false,
    });
    expect(calls).toEqual([
      ['quoteSale', { operation: 'op.service-api.sms.rent-number', input: { service: 'tg', country: 44 } }],
    ]);
  });
});

describe('a sold operation with a payment', () => {
  it('returns the reply of the operation, with the receipt and the token of the purchase', async () => {
    sold = { outcome: 'served', output: { id: '1' }, receipt: { success: true }, purchaseToken: 'token' };
    const reply = await harness.send('POST', '/sms/number', { body, headers: paid });
    expect([reply.statusCode, reply.body]).toEqual([200, '{"id":"1"}']);
    expect(jsonOf(reply.headers['payment-response'])).toEqual({ success: true });
    expect(reply.headers['purchase-token']).toBe('token');
    expect(calls).toEqual([
      [
        'sell',
        {
          operation: 'op.service-api.sms.rent-number',
          input: { service: 'tg', country: 44 },
          payment: { x402Version: 2 },
        },
      ],
    ]);
  });

  it('replies in the style of the operation', async () => {
    sold = { outcome: 'served', output: { quoteId: '1' }, receipt: { success: true } };
    const reply = await harness.send('POST', '/v1/quote', { body: '{}', headers: paid });
    expect(JSON.parse(reply.body)).toMatchObject({ success: true, quoteId: '1', data: { quoteId: '1' } });
    expect(reply.headers).not.toHaveProperty('purchase-token');
  });

  it('sells an operation that waits, with a call that ends with its caller', async () => {
    sold = { outcome: 'served', output: { code: '1' }, receipt: { success: true } };
    const wait = '{"service":"tg","country":44,"timeout":60}';
    const reply = await harness.send('POST', '/sms/number-and-wait', { body: wait, headers: paid });
    expect([reply.statusCode, calls.map(([name]) => name)]).toEqual([200, ['sellAwaited']]);
  });

  it('returns 402 with the reason and a new price when the client has not paid', async () => {
    sold = {
      outcome: 'unpaid',
      receipt: { success: false, errorReason: 'offer_expired', errorMessage: 'Late.' },
    };
    const reply = await harness.send('POST', '/sms/number', { body, headers: paid });
    expect([reply.statusCode, JSON.parse(reply.body)]).toMatchObject([
      402,
      { code: 'offer_expired', error: 'Late.' },
    ]);
    expect(jsonOf(reply.headers['payment-response'])).toMatchObject({ errorReason: 'offer_expired' });
  });

  it('returns the error of a declined purchase, with its refund', async () => {
    const failure = { code: 'PURCHASE_REFUSED', message: 'None left.', details: { reason: 'OUT_OF_STOCK' } };
    sold = { outcome: 'declined', failure, receipt: { success: false, extra: { refund: 'pending' } } };
    const reply = await harness.send('POST', '/sms/number', { body, headers: paid });
    expect([reply.statusCode, JSON.parse(reply.body)]).toMatchObject([
      422,
      { code: 'PURCHASE_REFUSED', details: { reason: 'OUT_OF_STOCK' } },
    ]);
    expect(jsonOf(reply.headers['payment-response'])).toMatchObject({ extra: { refund: 'pending' } });
  });

  it('returns 503, and never a new price, while the outcome is unknown', async () => {
    sold = new DomainError('SERVICE_UNAVAILABLE', 'unknown', { retryAfterSeconds: 2 });
    const reply = await harness.send('POST', '/sms/number', { body, headers: paid });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2']);
    expect(calls.map(([name]) => name)).toEqual(['sell']);
  });

  it.each(['', 'no base64!', Buffer.from('[1]').toString('base64'), 'A'.repeat(12_000)])(
    'rejects a payment that cannot be parsed: %.20s',
    async (header) => {
      const headers = { 'payment-signature': header };
      const reply = await harness.send('POST', '/sms/number', { body, headers });
      expect([reply.statusCode, calls]).toEqual([400, []]);
    },
  );
});

describe('the scheme Payment of HTTP authentication', () => {
  type Fields = Record<string, string>;
  const path = '/sms/number';
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const decode = (text: string): Json => JSON.parse(Buffer.from(text, 'base64url').toString());

  async function challenge(): Promise<Fields> {
    const { headers } = await harness.send('POST', path, { body });
    const [, fields] = /^Payment (.*)$/.exec(String(headers['www-authenticate'])) ?? [];
    return Object.fromEntries(
      [...fields!.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, text]) => [name, text]),
    );
  }

  function credentialFor(fields: Fields, changes: object = {}): { authorization: string } {
    const hash = Buffer.from(keccak_256(Buffer.from(`${fields.id}${fields.realm}`))).toString('hex');
    const transfer = { from: `0x${'cc'.repeat(20)}`, to: offer.payTo, value: '660000' };
    const times = { validAfter: '0', validBefore: '1800000000' };
    const authorization = { ...transfer, ...times, nonce: `0x${hash}` };
    const payload = { type: 'authorization', signature: '0xab', ...authorization, ...changes };
    return { authorization: `Payment ${encode({ challenge: fields, payload })}` };
  }

  const pay = async (headers: Record<string, string>, url = path) => {
    calls = [];
    return harness.send('POST', url, { body, headers });
  };

  beforeEach(() => {
    sold = {
      outcome: 'served',
      output: { id: '1' },
      receipt: { success: true, transaction: '0xfeed' },
      purchaseToken: 'token',
    };
  });

  it('sends a challenge with the signed offer in the 402', async () => {
    const { id, expires, request, opaque, ...fields } = await challenge();
    expect([id, fields]).toEqual([
      expect.stringMatching(/^[\w-]{43}$/),
      { realm: new URL(samplePublicUrl).host, method: 'evm', intent: 'charge' },
    ]);
    expect(Date.parse(expires!)).toBeGreaterThan(Date.now() + 250_000);
    expect(decode(request!)).toEqual({
      amount: '660000',
      currency: offer.asset,
      methodDetails: { chainId: 8453, credentialTypes: ['authorization'] },
      recipient: offer.payTo,
    });
    const url = `${samplePublicUrl}${path}`;
    expect(decode(opaque!)).toEqual({ method: 'POST', offer: 'the-signed-offer', url });
  });

  it('pays like x402, and returns a receipt', async () => {
    const reply = await pay(credentialFor(await challenge()));
    expect([reply.statusCode, reply.body]).toEqual([200, '{"id":"1"}']);
    expect(decode(String(reply.headers['payment-receipt']))).toMatchObject({
      method: 'evm',
      reference: '0xfeed',
      status: 'success',
    });
    expect(reply.headers['purchase-token']).toBe('token');
    const [name, { payment }] = calls[0]!;
    expect([name, payment]).toEqual([
      'sell',
      {
        x402Version: 2,
        accepted: {
          scheme: 'exact',
          network: offer.network,
          asset: offer.asset,
          payTo: offer.payTo,
          amount: offer.amount,
          extra: { offer: 'the-signed-offer' },
        },
        payload: {
          signature: '0xab',
          authorization: expect.objectContaining({ value: '660000', nonce: expect.any(String) }),
        },
      },
    ]);
  });

  it.each(['id', 'realm', 'method', 'intent', 'request', 'expires', 'opaque'])(
    'sells nothing for a challenge with another %s',
    async (name) => {
      const fields = await challenge();
      const request = encode({ ...decode(fields.request!), amount: '1' });
      const changed = name === 'request' ? request : `${fields[name]}1`;
      const reply = await pay(credentialFor({ ...fields, [name]: changed }));
      expect([reply.statusCode, calls.map(([it]) => it)]).toEqual([402, ['quoteSale']]);
      expect(JSON.parse(reply.body)).toMatchObject({ code: 'invalid_challenge' });
    },
  );

  it('sells nothing for another operation or nonce, and returns a problem of RFC 9457', async () => {
    const fields = await challenge();
    for (const reply of [
      await pay(credentialFor(fields), '/sms/send'),
      await pay(credentialFor(fields, { nonce: `0x${'00'.repeat(32)}` })),
    ]) {
      expect(reply.headers['content-type']).toContain('application/problem+json');
      expect(reply.headers['www-authenticate']).toMatch(/^Payment id="/);
      expect(JSON.parse(reply.body)).toMatchObject({ status: 402, type: expect.any(String) });
      expect(calls.map(([name]) => name)).toEqual(['quoteSale']);
    }
  });

  it.each(['Payment', 'Payment AAAA', 'Payment ', 'payment {}'])(
    'returns new challenges for the malformed credential %j',
    async (authorization) => {
      const reply = await pay({ authorization });
      expect([reply.statusCode, calls.map(([it]) => it)]).toEqual([402, ['quoteSale']]);
      expect(reply.headers['www-authenticate']).toMatch(/^Payment id="/);
      expect(JSON.parse(reply.body)).toMatchObject({
        type: 'https://paymentauth.org/problems/malformed-credential',
        code: 'malformed_credential',
      });
    },
  );

  it('returns the refund of a payment that was settled elsewhere, and 503 without a new challenge for an unknown one', async () => {
    const fields = await challenge();
    sold = {
      outcome: 'declined',
      failure: { code: 'PURCHASE_REFUSED', details: { reason: 'SETTLED_ELSEWHERE' } },
      receipt: { success: false, errorReason: 'refunded', extra: { refund: 'pending' } },
    };
    const refunded = await pay(credentialFor(fields));
    expect([refunded.statusCode, JSON.parse(refunded.body)]).toMatchObject([
      422,
      { code: 'PURCHASE_REFUSED', details: { reason: 'SETTLED_ELSEWHERE' } },
    ]);
    expect(jsonOf(refunded.headers['payment-response'])).toMatchObject({ errorReason: 'refunded' });
    sold = new DomainError('SERVICE_UNAVAILABLE', 'unknown', { retryAfterSeconds: 2 });
    const unknown = await pay(credentialFor(fields));
    expect([unknown.statusCode, unknown.headers['retry-after']]).toEqual([503, '2']);
    for (const { headers } of [refunded, unknown]) {
      expect(headers).not.toHaveProperty('www-authenticate');
      expect(headers).not.toHaveProperty('payment-receipt');
    }
  });

  it('rejects two payments in one request', async () => {
    const reply = await pay({ ...credentialFor(await challenge()), ...paid });
    expect([reply.statusCode, calls]).toEqual([400, []]);
  });
});

it('reads the purchase with its token', async () => {
  const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
  const reply = await harness.send('GET', `/sms/status/${id}`, { headers: { 'purchase-token': 'token' } });
  expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([200, { status: 'STATUS_WAIT_CODE' }]);
  expect(calls).toEqual([
    ['readSold', { operation: 'op.service-api.sms.code-status', input: { id }, token: 'token' }],
  ]);
});
