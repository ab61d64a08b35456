import { startHttpServer, type HttpReply, type HttpServer, type SeenRequest } from '@tollbridge/testing';
import { verifyTypedData, Wallet } from 'ethers';
import { LasoIssuer } from './laso.issuer';
import { transferTypes, usdcOnBase } from './payment';

const walletKey = `0x${'11'.repeat(32)}`;
const payTo = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const nowMs = Date.parse('2026-11-22T12:00:00Z');
const wish = { amountCents: 2_550, reference: 'r-1' };
// The short time-out is only for cases without a reply of the issuer.
const [patientMs, shortMs] = [60_000, 1_000];
const timeoutFor = (answer: HttpReply): number => ('silent' in answer ? shortMs : patientMs);

const offer = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '25500000',
  asset: usdcOnBase.asset,
  payTo,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
};
const auth = { id_token: 'id-token-1', refresh_token: 'refresh-token-1', expires_in: '3600' };
const ordered = { auth, user_id: '0x', card: { card_id: 'c-1', usd_amount: 25.5, status: 'pending' } };

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const asks = (changes: object = {}, error?: string): HttpReply => ({
  status: 402,
  headers: { 'payment-required': base64({ x402Version: 2, error, accepts: [{ ...offer, ...changes }] }) },
  body: {},
});
const isPaid = ({ headers }: SeenRequest): boolean => headers['payment-signature'] !== undefined;

let server: HttpServer;
let issuer: LasoIssuer;
let now = nowMs;

beforeEach(async () => {
  now = nowMs;
  server = await startHttpServer((request) => (isPaid(request) ? { body: ordered } : asks()));
  issuer = issuerWith();
});
afterEach(() => server.close());

const issuerWith = ({ timeoutMs = patientMs, orderTimeoutMs = patientMs } = {}): LasoIssuer =>
  new LasoIssuer({ url: server.url, walletKey, timeoutMs, orderTimeoutMs, now: () => now });

const failure = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => ({ kind: 'none' }),
    (error) => ({ kind: error.kind, code: error.code, details: error.details, text: textOf(error) }),
  );

function textOf(error: any): string {
  const cause = error.cause ? textOf(error.cause) : '';
  return `${JSON.stringify(error)} ${error.message} ${error.stack} ${cause}`;
}

const payments = (): any[] =>
  server.requests
    .filter(isPaid)
    .map(({ headers }) => JSON.parse(Buffer.from(String(headers['payment-signature']), 'base64').toString()));

describe('LasoIssuer order', () => {
  it('pays the exact price once with an authorization of two minutes', async () => {
    expect(await issuer.issue(wish)).toEqual({ issuerCardId: 'c-1', state: 'pending', lastFour: null });

    const query = 'amount=25.5&format=json';
    expect(server.requests.map((it) => `${it.method} ${it.path}?${it.query}`)).toEqual(
      Array(2).fill(`GET /get-card?${query}`),
    );
    const [{ x402Version, accepted, payload }] = payments();
    expect([x402Version, accepted]).toEqual([2, offer]);
    const { authorization, signature } = payload;
    const { address } = new Wallet(walletKey);
    const seconds = nowMs / 1_000;
    expect(authorization).toEqual({
      from: address,
      to: payTo,
      value: '25500000',
      nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      validAfter: String(seconds - 60),
      validBefore: String(seconds + 120),
    });
    const domain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: usdcOnBase.asset };
    expect(verifyTypedData(domain, transferTypes, authorization, signature)).toBe(address);
  });

  it('derives one payment nonce per purchase', async () => {
    const other = { ...wish, reference: 'r-2' };
    for (const each of [wish, wish, other]) await issuer.issue(each);
    const [one, again, another] = payments().map(({ payload }) => payload.authorization.nonce);
    expect(again).toBe(one);
    expect(another).not.toBe(one);
  });

  it.each([
    ['another price', asks({ amount: '25500001' })],
    ['a lower price', asks({ amount: '1' })],
    ['another chain', asks({ network: 'eip155:1' })],
    ['another token', asks({ asset: payTo })],
    ['another scheme', asks({ scheme: 'upto' })],
    ['an invalid address', asks({ payTo: '0x1' })],
    ['a timeout of 0 seconds', asks({ maxTimeoutSeconds: 0 })],
    ['no terms', { status: 402, body: {} } as HttpReply],
    [
      'terms that are not JSON',
      { status: 402, headers: { 'payment-required': '!!' }, body: {} } as HttpReply,
    ],
    [
      'version 1 of x402',
      {
        status: 402,
        headers: { 'payment-required': base64({ x402Version: 1, accepts: [offer] }) },
      } as HttpReply,
    ],
    ['500', { status: 500 } as HttpReply],
    ['no reply', { silent: true } as HttpReply],
    ['429', { status: 429 } as HttpReply],
  ])('does not pay an offer of %s', async (_name, answer) => {
    server.answer = () => answer;
    const failed = failure(issuerWith({ timeoutMs: timeoutFor(answer) }).issue(wish));
    expect(['unavailable', 'rateLimited']).toContain((await failed).kind);
    expect(server.requests).toHaveLength(1);
    expect(payments()).toEqual([]);
  });

  it.each([
    ['no reply', { silent: true }],
    ['half a reply', { half: JSON.stringify(ordered) }],
    ['garbage', { body: 'ready' }],
    ['500', { status: 500 }],
    ['no card', { body: { auth } }],
    ['an undocumented status', { body: { ...ordered, card: { card_id: 'c-1', status: 'lost' } } }],
    ['402 without a reason', asks()],
    ['402 with an unknown reason', asks({}, 'unexpected_settle_error')],
  ] as [string, HttpReply][])(
    'leaves the outcome unknown when the paid request gets %s',
    async (_name, answer) => {
      server.answer = (request) => (isPaid(request) ? answer : asks());
      const { kind, text } = await failure(issuerWith({ orderTimeoutMs: timeoutFor(answer) }).issue(wish));
      expect(kind).toBe('unknownOutcome');
      expect(payments()).toHaveLength(1);
      expect(text).not.toMatch(/1111111|127\.0\.0\.1/);
    },
  );

  it.each([
    [
      asks({}, 'insufficient_funds'),
      { code: 'PURCHASE_REFUSED', details: { reason: 'ISSUER_OUT_OF_FUNDS' } },
    ],
    [asks({}, 'invalid_exact_evm_payload_signature'), { code: 'UPSTREAM_UNAVAILABLE' }],
    [
      { status: 400, body: {} },
      { code: 'PURCHASE_REFUSED', details: { reason: 'DECLINED' } },
    ],
  ] as [HttpReply, object][])('converts the rejection of a paid request: %j', async (answer, expected) => {
    server.answer = (request) => (isPaid(request) ? answer : asks());
    expect(await failure(issuer.issue(wish))).toMatchObject(expected);
    expect(payments()).toHaveLength(1);
  });
});

describe('LasoIssuer card', () => {
  const details = { card_number: '4242420123456789', cvv: '123', exp_month: '12', exp_year: '2029' };
  const ready = { card_id: 'c-1', status: 'ready', card_details: details };
  /** Answers each request by its path and token. */
  const serve = (data: (token: string) => HttpReply): void => {
    let signIns = 0;
    const renewed = (): HttpReply => ({ body: { auth: { ...auth, id_token: `id-token-${++signIns}` } } });
    server.answer = (request) => {
      if (request.path === '/get-card-data') return data(String(request.headers.authorization));
      if (request.method === 'POST') return renewed();
      return isPaid(request) ? renewed() : asks({ amount: '1000' });
    };
  };
  const paths = (): string[] => server.requests.map(({ method, path }) => `${method} ${path}`);

  it('shares one sign-in between concurrent reads', async () => {
    serve(() => ({ body: ready }));
    const numbers = { number: '4242420123456789', cvv: '123', expMonth: '12', expYear: '2029' };
    const card = { issuerCardId: 'c-1', state: 'open', lastFour: '6789' };
    expect(await Promise.all([1, 2, 3].map(() => issuer.reveal('c-1')))).toEqual(
      Array(3).fill({ card, numbers }),
    );
    expect(await issuer.read('c-1')).toEqual(card);
    expect(payments()).toHaveLength(1);
  });

  it('reads a card with the token of an order', async () => {
    await issuer.issue(wish);
    serve((token) => (token === 'Bearer id-token-1' ? { body: ready } : { status: 401 }));
    await issuer.read('c-1');
    expect(paths().slice(2)).toEqual(['GET /get-card-data']);
  });

  it('renews a rejected or expiring token without a payment', async () => {
    await issuer.issue(wish);
    let rejections = 1;
    serve(() => (rejections-- > 0 ? { status: 401 } : { body: ready }));
    await issuer.read('c-1');
    expect(paths().slice(2)).toEqual(['GET /get-card-data', 'POST /auth', 'GET /get-card-data']);
    now += 3_600_000 - 59_000;
    await issuer.read('c-1');
    expect(paths().slice(5)).toEqual(['POST /auth', 'GET /get-card-data']);
    expect(payments()).toHaveLength(1);
  });

  it('fails after one retry with a new token', async () => {
    serve(() => ({ status: 401 }));
    expect(await failure(issuer.read('c-1'))).toMatchObject({ kind: 'rejected' });
    expect(paths().filter((path) => path === 'GET /get-card-data')).toHaveLength(2);
  });

  it('reveals no number while the card is pending', async () => {
    for (const status of ['pending', 'details_approval']) {
      serve(() => ({ body: { ...ready, status } }));
      expect(await issuer.reveal('c-1')).toMatchObject({
        card: { state: 'pending', lastFour: null },
        numbers: null,
      });
    }
  });

  it.each([
    ['garbage', { body: '4242420123456789' }],
    ['no details', { body: { card_id: 'c-1', status: 'ready' } }],
    [
      'an invalid number',
      { body: { ...ready, card_details: { ...details, card_number: 'x4242420123456789' } } },
    ],
    ['no reply', { silent: true }],
    ['500', { status: 500, body: details }],
  ] as [string, HttpReply][])('reveals nothing when the reply has %s', async (_name, answer) => {
    serve(() => answer);
    const { kind, text } = await failure(issuerWith({ timeoutMs: timeoutFor(answer) }).reveal('c-1'));
    expect(['badReply', 'unavailable']).toContain(kind);
    expect(text).not.toMatch(/4242420/);
  });

  it('finds cards by amount and time, oldest first', async () => {
    const listed = (card_id: string, usd_amount: number, timestamp: number) => ({
      card_id,
      usd_amount,
      timestamp,
      status: 'pending',
    });
    const cards = [
      listed('newer', 25.5, nowMs + 9_000),
      listed('first', 25.5, nowMs - 59_000),
      listed('old', 25.5, nowMs - 61_000),
      listed('other', 25.51, nowMs),
    ];
    serve(() => ({ body: { cards } }));
    const found = await issuer.candidates(wish, nowMs);
    expect(found.map(({ issuerCardId }) => issuerCardId)).toEqual(['first', 'newer']);
  });
});
