import { DomainError } from '@tollbridge/rpc';
import { ProviderError } from '@tollbridge/http';
import {
  HttpServer,
  ManualClock,
  startHttpServer,
  type HttpReply,
  type SeenRequest,
} from '@tollbridge/testing';
import type { GiftCardTerms } from '../../gift-cards/gift-card-provider';
import { ReloadlyAirtime } from './reloadly.airtime';
import { ReloadlyBills } from './reloadly.bills';
import { ReloadlyClient } from './reloadly.client';
import { ReloadlyGiftCards } from './reloadly.gift-cards';
import { ReloadlyRequests } from './reloadly.requests';

const secret = 'a-client-secret';
const clock = new ManualClock();
let server: HttpServer;
/** The reply of a product. Tokens are `token-1`, `token-2` and so on. */
let answer: (request: SeenRequest) => HttpReply;
let tokenAnswer: () => HttpReply;
let given = 0;

beforeAll(async () => {
  server = await startHttpServer((request) =>
    request.path === '/auth/oauth/token' ? tokenAnswer() : answer(request),
  );
});
afterAll(() => server.close());

const order = {
  transactionId: 17,
  amount: 24.75,
  discount: 0.75,
  currencyCode: 'USD',
  fee: 0.5,
  totalFee: 0.5,
  recipientEmail: null,
  customIdentifier: 'ours',
  status: 'SUCCESSFUL',
  product: {
    productId: 1,
    productName: 'Tea',
    countryCode: 'US',
    quantity: 1,
    unitPrice: 25,
    totalPrice: 25,
    currencyCode: 'USD',
  },
  transactionCreatedTime: '2026-03-01 10:20:30',
};
const terms: GiftCardTerms = {
  productId: 1,
  quantity: 1,
  unitPrice: '25',
  senderName: 'Ada',
  recipientEmail: null,
};

beforeEach(() => {
  given = 0;
  server.requests.length = 0;
  tokenAnswer = () => ({
    body: { access_token: `token-${++given}`, expires_in: 3_600, token_type: 'Bearer' },
  });
  answer = () => ({ body: order });
});

// The short time-out is only for cases without a reply of the provider.
const patientMs = 60_000;
const timeoutFor = (reply: HttpReply, shortMs = 1_500): number =>
  'silent' in reply || 'begun' in reply ? shortMs : patientMs;

/** @param timeouts `readTimeoutMs` also applies to token requests */
function requests(timeouts: { readTimeoutMs?: number; purchaseTimeoutMs?: number } = {}): ReloadlyRequests {
  const url = (api: string) => `${server.url}/${api}`;
  const of = (name: (api: string) => string) => ({
    giftcards: name('giftcards'),
    topups: name('topups'),
    utilities: name('utilities'),
  });
  const options = {
    authUrl: url('auth'),
    urls: of(url),
    audiences: of((api) => `https://${api}.example`),
    clientId: 'a-client',
    clientSecret: secret,
    readTimeoutMs: patientMs,
    purchaseTimeoutMs: patientMs,
    ...timeouts,
  };
  return new ReloadlyRequests(new ReloadlyClient(options, clock));
}

const asked = () => server.requests.map(({ method, path }) => `${method} ${path}`);
const tokensAsked = () => server.requests.filter(({ path }) => path === '/auth/oauth/token');
const failureOf = (doing: Promise<unknown>): Promise<any> =>
  doing.then(
    (result) => Promise.reject(new Error(`expected a failure, got ${JSON.stringify(result)}`)),
    (error: unknown) => error,
  );

describe('Reloadly tokens', () => {
  const balance = { path: '/accounts/balance' };
  const bearers = () => server.requests.flatMap(({ headers }) => headers.authorization ?? []);

  it('requests one token per product for concurrent callers', async () => {
    const reloadly = requests();
    await Promise.all(Array.from({ length: 20 }, () => reloadly.read('giftcards', balance, () => 1)));
    expect(tokensAsked()).toHaveLength(1);
    expect(JSON.parse(tokensAsked()[0]!.body)).toEqual({
      client_id: 'a-client',
      client_secret: secret,
      grant_type: 'client_credentials',
      audience: 'https://giftcards.example',
    });
    await reloadly.read('topups', balance, () => 1);
    await reloadly.read('utilities', balance, () => 1);
    expect(tokensAsked().map(({ body }) => JSON.parse(body).audience)).toEqual([
      'https://giftcards.example',
      'https://topups.example',
      'https://utilities.example',
    ]);
    expect(new Set(bearers())).toEqual(new Set(['Bearer token-1', 'Bearer token-2', 'Bearer token-3']));
    const topUps = server.requests.find(({ path }) => path === '/topups/accounts/balance')!;
    expect(topUps.headers.accept).toBe('application/com.reloadly.topups-v1+json');
  });

  it('renews a token before it expires', async () => {
    const reloadly = requests();
    await reloadly.read('giftcards', balance, () => 1);
    clock.advance(3_600_000 - 121_000);
    await reloadly.read('giftcards', balance, () => 1);
    expect(tokensAsked()).toHaveLength(1);
    clock.advance(2_000);
    await reloadly.read('giftcards', balance, () => 1);
    expect(tokensAsked()).toHaveLength(2);
  });

  it('replaces a rejected token once and then sends the purchase once', async () => {
    const good = 'Bearer token-2';
    answer = ({ headers }) =>
      headers.authorization === good
        ? { body: order }
        : { status: 401, body: { errorCode: 'TOKEN_EXPIRED' } };
    const giftCards = new ReloadlyGiftCards(requests());
    expect(await giftCards.order(terms, 'ours')).toMatchObject({ status: 'completed', providerId: '17' });
    expect(asked()).toEqual([
      'POST /auth/oauth/token',
      'POST /giftcards/orders',
      'POST /auth/oauth/token',
      'POST /giftcards/orders',
    ]);
    answer = () => ({ status: 401, body: { errorCode: 'INVALID_TOKEN' } });
    server.requests.length = 0;
    expect(await failureOf(giftCards.order(terms, 'ours'))).toMatchObject({ kind: 'unavailable' });
    expect(asked()).toEqual(['POST /giftcards/orders', 'POST /auth/oauth/token', 'POST /giftcards/orders']);
  });

  it.each<[string, () => HttpReply]>([
    ['rejected', () => ({ status: 401, body: { errorCode: 'INVALID_CREDENTIALS', message: secret } })],
    ['empty', () => ({ body: { access_token: '', expires_in: 3_600 } })],
    ['already expired', () => ({ body: { access_token: 'a', expires_in: -1 } })],
    ['late', () => ({ silent: true })],
    ['not JSON', () => ({ body: '<html>' })],
  ])(
    'buys nothing and reveals no secret when the token is %s, and requests a new token with the next call',
    async (_, answer) => {
      // The next token must arrive within the same time.
      const reloadly = requests({ readTimeoutMs: timeoutFor(answer(), 3_000) });
      const well = tokenAnswer;
      tokenAnswer = answer;
      const failure = await failureOf(new ReloadlyGiftCards(reloadly).order(terms, 'ours'));
      expect(failure).toBeInstanceOf(ProviderError);
      expect(['unavailable', 'badReply']).toContain(failure.kind);
      expect(JSON.stringify([failure, failure.message])).not.toContain(secret);
      expect(asked()).toEqual(['POST /auth/oauth/token']);
      tokenAnswer = well;
      expect(await new ReloadlyGiftCards(reloadly).order(terms, 'ours')).toMatchObject({
        status: 'completed',
      });
    },
  );
});

describe('Reloadly purchase failures', () => {
  const code = (errorCode: string, status = 400): HttpReply => ({
    status,
    body: { errorCode, message: 'x' },
  });
  const cases: [string, HttpReply, object][] = [
    ['gets no reply', { silent: true }, { kind: 'unknownOutcome' }],
    ['gets the start of a reply only', { begun: '{"transactionId":' }, { kind: 'unknownOutcome' }],
    ['loses its connection in the reply', { half: '{"transactionId":' }, { kind: 'unknownOutcome' }],
    ['gets a reply that is not JSON', { body: '<html>' }, { kind: 'unknownOutcome' }],
    ['gets a reply of another kind', { body: { hello: 'there' } }, { kind: 'unknownOutcome' }],
    ['gets an invalid amount', { body: { ...order, amount: -1 } }, { kind: 'unknownOutcome' }],
    ['gets status 500', { status: 500, body: {} }, { kind: 'unknownOutcome' }],
    ['gets status 503', { status: 503, body: 'Service Unavailable' }, { kind: 'unknownOutcome' }],
    [
      'gets status 429',
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'rateLimited', retryAfterMs: 7_000 },
    ],
    [
      'is redirected',
      { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
      { kind: 'unknownOutcome' },
    ],
    [
      'has an ambiguous error code',
      code('TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT'),
      { kind: 'unknownOutcome' },
    ],
    ['has an unspecific error code', code('TOPUP_TRANSACTION_FAILED'), { kind: 'unknownOutcome' }],
    [
      'is out of stock',
      code('TEMPORARY_OUT_OF_STOCK'),
      { code: 'PURCHASE_REFUSED', details: { reason: 'OUT_OF_STOCK' } },
    ],
    [
      'has an inactive operator',
      code('OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE', 503),
      { code: 'PURCHASE_REFUSED', details: { reason: 'OPERATOR_UNAVAILABLE' } },
    ],
    [
      'is out of stock by a reply of status 500',
      code('TEMPORARY_OUT_OF_STOCK', 500),
      { kind: 'unknownOutcome' },
    ],
    [
      'is declined with an unknown code',
      code('SOMETHING_NEW'),
      { code: 'PURCHASE_REFUSED', details: { reason: 'REFUSED' } },
    ],
    ['is declined without a code', { status: 422, body: 'toString' }, { code: 'PURCHASE_REFUSED' }],
  ];
  it.each(cases)('sends a purchase once when it %s', async (_, reply, expected) => {
    answer = () => reply;
    const began = performance.now();
    const reloadly = requests({ purchaseTimeoutMs: timeoutFor(reply) });
    const failure = await failureOf(new ReloadlyGiftCards(reloadly).order(terms, 'ours'));
    expect(failure).toMatchObject(expected);
    expect(failure instanceof DomainError || failure instanceof ProviderError).toBe(true);
    expect(performance.now() - began).toBeLessThan(patientMs / 2);
    expect(asked().filter((request) => request === 'POST /giftcards/orders')).toHaveLength(1);
  });

  it('reads the report when the reference is a duplicate', async () => {
    answer = ({ method }) =>
      method === 'POST'
        ? code('CUSTOM_IDENTIFIER_ALREADY_USED')
        : { body: { content: [{ ...order, customIdentifier: 'another' }, order] } };
    expect(await new ReloadlyGiftCards(requests()).order(terms, 'ours')).toMatchObject({ providerId: '17' });
    answer = ({ method }) =>
      method === 'POST' ? code('CUSTOM_IDENTIFIER_ALREADY_USED') : { body: { content: [] } };
    const unknown = await failureOf(new ReloadlyGiftCards(requests()).order(terms, 'ours'));
    expect(unknown).toMatchObject({ kind: 'unknownOutcome' });
  });
});

describe('Reloadly reports', () => {
  it('ignores a transaction with another reference', async () => {
    answer = () => ({ body: { content: [{ ...order, customIdentifier: 'another' }] } });
    expect(await new ReloadlyGiftCards(requests()).find('ours')).toBeUndefined();
  });

  it('reads an unknown status as pending', async () => {
    answer = () => ({ body: { content: [{ ...order, status: 'toString' }] } });
    expect(await new ReloadlyGiftCards(requests()).find('ours')).toMatchObject({ status: 'pending' });
  });

  it('reads a bill with and without its wrapper', async () => {
    const transaction = {
      id: 9,
      status: 'REFUNDED',
      referenceId: 'ours',
      amount: 5,
      amountCurrencyCode: 'USD',
      fee: 0.05,
      submittedAt: '2026-03-01 10:20:30',
    };
    for (const item of [transaction, { code: 'X', message: 'y', transaction }]) {
      answer = () => ({ body: { content: [item] } });
      const found = await new ReloadlyBills(requests()).find('ours');
      expect(found).toMatchObject({ status: 'refunded', providerId: '9', valueUsd: '5.05' });
    }
  });

  it.each<[string, HttpReply]>([
    ['gets no reply', { silent: true }],
    ['is not JSON', { body: '<html>' }],
    ['is not a list', { body: { content: 'x' } }],
    ['has status 500', { status: 500 }],
  ])('throws when the report %s, instead of returning undefined', async (_, reply) => {
    answer = () => reply;
    const reloadly = requests({ readTimeoutMs: timeoutFor(reply) });
    expect(await failureOf(new ReloadlyAirtime(reloadly).find('ours'))).toBeInstanceOf(ProviderError);
  });
});
