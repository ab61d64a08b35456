import { DomainError } from '@tollbridge/rpc';
import { ProviderError } from '@tollbridge/http';
import {
  HttpServer,
  ManualClock,
  startHttpServer,
  type HttpReply,
  type SeenRequest,
} from '@tollbridge/testing';
import { GiftCards, type GiftCardTerms } from '../gift-cards';
import { Airtime } from '../airtime';
import { Bills } from '../bills';
import { Reloadly } from './reloadly';
import { ReloadlyClient } from './reloadly.client';

jest.setTimeout(20_000);

const secret = 'a-client-secret';
const clock = new ManualClock();
let server: HttpServer;
/** What the products answer; tokens are given as asked, `token-1` and so on. */
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
  ...{ transactionId: 17, amount: 24.75, discount: 0.75, currencyCode: 'USD', fee: 0.5, totalFee: 0.5 },
  ...{ recipientEmail: null, customIdentifier: 'ours', status: 'SUCCESSFUL' },
  product: {
    ...{ productId: 1, productName: 'Tea', countryCode: 'US', quantity: 1, unitPrice: 25, totalPrice: 25 },
    currencyCode: 'USD',
  },
  transactionCreatedTime: '2026-03-01 10:20:30',
};
const terms: GiftCardTerms = {
  ...{ productId: 1, quantity: 1, unitPrice: '25', senderName: 'Ada', recipientEmail: null },
};

beforeEach(() => {
  given = 0;
  server.requests.length = 0;
  tokenAnswer = () => ({
    body: { access_token: `token-${++given}`, expires_in: 3_600, token_type: 'Bearer' },
  });
  answer = () => ({ body: order });
});

function provider(changes: { authUrl?: string } = {}): Reloadly {
  const url = (api: string) => `${server.url}/${api}`;
  const of = (name: (api: string) => string) => ({
    ...{ giftcards: name('giftcards'), topups: name('topups'), utilities: name('utilities') },
  });
  const options = {
    authUrl: url('auth'),
    urls: of(url),
    audiences: of((api) => `https://${api}.example`),
    ...{
      clientId: 'a-client',
      clientSecret: secret,
      readTimeoutMs: 1_500,
      purchaseTimeoutMs: 1_500,
      ...changes,
    },
  };
  return new Reloadly(new ReloadlyClient(options, clock));
}

const asked = () => server.requests.map(({ method, path }) => `${method} ${path}`);
const tokensAsked = () => server.requests.filter(({ path }) => path === '/auth/oauth/token');
const failureOf = (doing: Promise<unknown>): Promise<any> =>
  doing.then(
    (result) => Promise.reject(new Error(`it did not fail but answered ${JSON.stringify(result)}`)),
    (error: unknown) => error,
  );

describe('tokens', () => {
  const balance = { path: '/accounts/balance' };
  const bearers = () => server.requests.flatMap(({ headers }) => headers.authorization ?? []);

  it('are of one product each, and asked for once however many need one', async () => {
    const reloadly = provider();
    await Promise.all(Array.from({ length: 20 }, () => reloadly.read('giftcards', balance, () => 1)));
    expect(tokensAsked()).toHaveLength(1);
    expect(JSON.parse(tokensAsked()[0]!.body)).toEqual({
      ...{ client_id: 'a-client', client_secret: secret, grant_type: 'client_credentials' },
      audience: 'https://giftcards.example',
    });
    await reloadly.read('topups', balance, () => 1);
    await reloadly.read('utilities', balance, () => 1);
    expect(tokensAsked().map(({ body }) => JSON.parse(body).audience)).toEqual([
      ...['https://giftcards.example', 'https://topups.example', 'https://utilities.example'],
    ]);
    expect(new Set(bearers())).toEqual(new Set(['Bearer token-1', 'Bearer token-2', 'Bearer token-3']));
    const topUps = server.requests.find(({ path }) => path === '/topups/accounts/balance')!;
    expect(topUps.headers.accept).toBe('application/com.reloadly.topups-v1+json');
  });

  it('are replaced before they end', async () => {
    const reloadly = provider();
    await reloadly.read('giftcards', balance, () => 1);
    clock.advance(3_600_000 - 121_000);
    await reloadly.read('giftcards', balance, () => 1);
    expect(tokensAsked()).toHaveLength(1);
    clock.advance(2_000);
    await reloadly.read('giftcards', balance, () => 1);
    expect(tokensAsked()).toHaveLength(2);
  });

  it('that are refused are replaced once, also under a purchase, which is made once', async () => {
    const good = 'Bearer token-2';
    answer = ({ headers }) =>
      headers.authorization === good
        ? { body: order }
        : { status: 401, body: { errorCode: 'TOKEN_EXPIRED' } };
    const giftCards = new GiftCards(provider());
    expect(await giftCards.buy(terms, 'ours')).toMatchObject({ status: 'completed', providerId: '17' });
    expect(asked()).toEqual([
      ...['POST /auth/oauth/token', 'POST /giftcards/orders'],
      ...['POST /auth/oauth/token', 'POST /giftcards/orders'],
    ]);
    answer = () => ({ status: 401, body: { errorCode: 'INVALID_TOKEN' } });
    server.requests.length = 0;
    expect(await failureOf(giftCards.buy(terms, 'ours'))).toMatchObject({ kind: 'unavailable' });
    expect(asked()).toEqual(['POST /giftcards/orders', 'POST /auth/oauth/token', 'POST /giftcards/orders']);
  });

  it.each<[string, () => HttpReply]>([
    ['refused', () => ({ status: 401, body: { errorCode: 'INVALID_CREDENTIALS', message: secret } })],
    ['not given', () => ({ body: { access_token: '', expires_in: 3_600 } })],
    ['of no life', () => ({ body: { access_token: 'a', expires_in: -1 } })],
    ['late', () => ({ silent: true })],
    ['not JSON', () => ({ body: '<html>' })],
  ])(
    'that are %s: nothing was bought, nobody is told a secret, and the next call asks again',
    async (_, said) => {
      const reloadly = provider();
      const well = tokenAnswer;
      tokenAnswer = said;
      const failure = await failureOf(new GiftCards(reloadly).buy(terms, 'ours'));
      expect(failure).toBeInstanceOf(ProviderError);
      expect(['unavailable', 'badReply']).toContain(failure.kind);
      expect(JSON.stringify([failure, failure.message])).not.toContain(secret);
      expect(asked()).toEqual(['POST /auth/oauth/token']);
      tokenAnswer = well;
      expect(await new GiftCards(reloadly).buy(terms, 'ours')).toMatchObject({ status: 'completed' });
    },
  );
});

describe('a purchase that goes wrong', () => {
  const code = (errorCode: string, status = 400): HttpReply => ({
    status,
    body: { errorCode, message: 'x' },
  });
  const cases: [string, HttpReply, object][] = [
    ['hangs', { silent: true }, { kind: 'unknownOutcome' }],
    ['begins to answer', { begun: '{"transactionId":' }, { kind: 'unknownOutcome' }],
    ['breaks in the middle', { half: '{"transactionId":' }, { kind: 'unknownOutcome' }],
    ['answers what is not JSON', { body: '<html>' }, { kind: 'unknownOutcome' }],
    ['answers something else', { body: { hello: 'world' } }, { kind: 'unknownOutcome' }],
    ['answers an amount that is none', { body: { ...order, amount: -1 } }, { kind: 'unknownOutcome' }],
    ['is 500', { status: 500, body: {} }, { kind: 'unknownOutcome' }],
    ['is 503', { status: 503, body: 'Service Unavailable' }, { kind: 'unknownOutcome' }],
    [
      'is 429',
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'rateLimited', retryAfterMs: 7_000 },
    ],
    [
      'leads elsewhere',
      { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
      { kind: 'unknownOutcome' },
    ],
    ['is unsure', code('TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT'), { kind: 'unknownOutcome' }],
    ['has failed somehow', code('TOPUP_TRANSACTION_FAILED'), { kind: 'unknownOutcome' }],
    [
      'is out of stock',
      code('TEMPORARY_OUT_OF_STOCK'),
      { code: 'PURCHASE_REFUSED', details: { reason: 'OUT_OF_STOCK' } },
    ],
    [
      'has an operator that rests',
      code('OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE', 503),
      { code: 'PURCHASE_REFUSED', details: { reason: 'OPERATOR_UNAVAILABLE' } },
    ],
    ['is out of stock, says a 500', code('TEMPORARY_OUT_OF_STOCK', 500), { kind: 'unknownOutcome' }],
    [
      'is refused for a new reason',
      code('SOMETHING_NEW'),
      { code: 'PURCHASE_REFUSED', details: { reason: 'REFUSED' } },
    ],
    ['is refused by no code', { status: 422, body: 'toString' }, { code: 'PURCHASE_REFUSED' }],
  ];
  it.each(cases)('%s: is asked for once', async (_, reply, expected) => {
    answer = () => reply;
    const began = performance.now();
    const failure = await failureOf(new GiftCards(provider()).buy(terms, 'ours'));
    expect(failure).toMatchObject(expected);
    expect(failure instanceof DomainError || failure instanceof ProviderError).toBe(true);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(asked().filter((request) => request === 'POST /giftcards/orders')).toHaveLength(1);
  });

  it('was made already: it is what the report says', async () => {
    answer = ({ method }) =>
      method === 'POST'
        ? code('CUSTOM_IDENTIFIER_ALREADY_USED')
        : { body: { content: [{ ...order, customIdentifier: 'another' }, order] } };
    expect(await new GiftCards(provider()).buy(terms, 'ours')).toMatchObject({ providerId: '17' });
    answer = ({ method }) =>
      method === 'POST' ? code('CUSTOM_IDENTIFIER_ALREADY_USED') : { body: { content: [] } };
    const unknown = await failureOf(new GiftCards(provider()).buy(terms, 'ours'));
    expect(unknown).toMatchObject({ kind: 'unknownOutcome' });
  });
});

describe('a report', () => {
  it('of others is not believed', async () => {
    answer = () => ({ body: { content: [{ ...order, customIdentifier: 'another' }] } });
    expect(await new GiftCards(provider()).find('ours')).toBeUndefined();
  });

  it('with a status that nobody knows is of what is under way', async () => {
    answer = () => ({ body: { content: [{ ...order, status: 'toString' }] } });
    expect(await new GiftCards(provider()).find('ours')).toMatchObject({ status: 'pending' });
  });

  it('of a bill may be wrapped, or not', async () => {
    const transaction = {
      ...{ id: 9, status: 'REFUNDED', referenceId: 'ours', amount: 5, amountCurrencyCode: 'USD', fee: 0.05 },
      submittedAt: '2026-03-01 10:20:30',
    };
    for (const item of [transaction, { code: 'X', message: 'y', transaction }]) {
      answer = () => ({ body: { content: [item] } });
      const found = await new Bills(provider()).find('ours');
      expect(found).toMatchObject({ status: 'refunded', providerId: '9', valueUsd: '5.05' });
    }
  });

  it.each<[string, HttpReply]>([
    ['hangs', { silent: true }],
    ['is not JSON', { body: '<html>' }],
    ['is no list', { body: { content: 'x' } }],
    ['is 500', { status: 500 }],
  ])('that %s says nothing: it is not taken for a purchase that was never made', async (_, reply) => {
    answer = () => reply;
    expect(await failureOf(new Airtime(provider()).find('ours'))).toBeInstanceOf(ProviderError);
  });
});

it('without settings every call says so', async () => {
  const none = new GiftCards(new Reloadly(null));
  expect(await failureOf(none.buy(terms, 'ours'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
