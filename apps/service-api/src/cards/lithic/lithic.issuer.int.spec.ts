import { closedUrl, startHttpServer, type HttpReply, type HttpServer } from '@tollbridge/testing';
import { LithicIssuer } from './lithic.issuer';

const token = '7ef7d65c-9023-4da3-b113-3b8583fd7951';
const number = '4111110123456789';
const card = {
  token,
  state: 'OPEN',
  last_four: '6789',
  memo: 'r-1',
  pan: number,
  cvv: '123',
  exp_month: '06',
  exp_year: '2031',
};
const wish = { amountCents: 2_550, reference: 'r-1' };
// The short time-out is only for cases without a reply of the issuer.
const [patientMs, shortMs] = [60_000, 1_000];

let server: HttpServer;
let issuer: LithicIssuer;

beforeEach(async () => {
  server = await startHttpServer(() => ({ body: card }));
  issuer = issuerWith(patientMs);
});
afterEach(() => server.close());

const issuerWith = (timeoutMs: number, url = server.url): LithicIssuer =>
  new LithicIssuer({ url, apiKey: 'a-key', timeoutMs, orderTimeoutMs: timeoutMs });

/** Every property of an error that could reach a reply or a log. */
const failure = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => ({ kind: 'none' }),
    (error) => ({ kind: error.kind, code: error.code, details: error.details, text: textOf(error) }),
  );

function textOf(error: any): string {
  const cause = error.cause ? textOf(error.cause) : '';
  return `${JSON.stringify(error)} ${error.message} ${error.stack} ${cause}`;
}

it('orders a card once, with its spend limit and reference', async () => {
  expect(await issuer.issue(wish)).toEqual({ issuerCardId: token, state: 'open', lastFour: '6789' });
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      path: '/v1/cards',
      headers: { authorization: 'a-key', 'idempotency-key': 'r-1' },
    },
  ]);
  expect(JSON.parse(server.requests[0]!.body)).toEqual({
    type: 'VIRTUAL',
    state: 'OPEN',
    memo: 'r-1',
    spend_limit: 2_550,
    spend_limit_duration: 'FOREVER',
  });
});

it('reads the number in reveal only', async () => {
  const plain = { issuerCardId: token, state: 'open', lastFour: '6789' };
  expect(await issuer.read(token)).toEqual(plain);
  const numbers = { number, cvv: '123', expMonth: '06', expYear: '2031' };
  expect(await issuer.reveal(token)).toEqual({ card: plain, numbers });
  server.answer = () => ({ body: { ...card, state: 'PENDING_FULFILLMENT' } });
  expect(await issuer.reveal(token)).toEqual({
    card: { issuerCardId: token, state: 'pending', lastFour: null },
    numbers: null,
  });
});

it('finds a lost card by its reference only', async () => {
  server.answer = () => ({ body: { data: [{ ...card, memo: 'r-10' }, card], has_more: false } });
  const found = await issuer.candidates(wish, Date.parse('2026-11-22T12:00:00Z'));
  expect(found).toEqual([{ issuerCardId: token, state: 'open', lastFour: '6789' }]);
  expect(Object.fromEntries(server.requests[0]!.query)).toEqual({
    begin: '2026-11-22T11:59:00.000Z',
    memo: 'r-1',
    page_size: '50',
  });
});

const misbehaviour: [string, HttpReply][] = [
  ['nothing', { silent: true }],
  ['the beginning of an answer', { begun: JSON.stringify(card).slice(0, 40) }],
  ['half an answer', { half: JSON.stringify(card) }],
  ['garbage', { body: `<html>${number}</html>` }],
  ['an empty answer', { body: '' }],
  ['500', { status: 500, body: { message: `a-key ${number}` } }],
  ['503 as text', { status: 503, body: 'Service Unavailable' }],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
  ['another object', { body: { ok: true } }],
  ['a list', { body: [card] }],
  ['a state of no documented value', { body: { ...card, state: 'MELTED' } }],
  ['a last four that is the whole number', { body: { ...card, last_four: number } }],
  ['no id', { body: { ...card, token: null } }],
];

describe.each(misbehaviour)('Lithic replies with %s', (_name, answer) => {
  beforeEach(() => {
    if ('silent' in answer || 'begun' in answer) issuer = issuerWith(shortMs);
  });

  it('leaves the outcome of the order unknown, does not repeat it, and reveals nothing of the reply', async () => {
    server.answer = () => answer;
    const begunMs = performance.now();
    const { kind, text } = await failure(issuer.issue(wish));
    expect(kind).toBe('unknownOutcome');
    // The default time-out of an order is 60 s.
    expect(performance.now() - begunMs).toBeLessThan(30_000);
    expect(server.requests).toHaveLength(1);
    expect(text).not.toMatch(/4111110|a-key|127\.0\.0\.1/);
  });

  it('makes a read fail', async () => {
    server.answer = () => answer;
    for (const call of [issuer.read(token), issuer.reveal(token), issuer.candidates(wish, 0)]) {
      const { kind, text } = await failure(call);
      expect(['unavailable', 'badReply']).toContain(kind);
      expect(text).not.toMatch(/4111110|a-key|127\.0\.0\.1/);
    }
  });
});

it.each([
  ['pan', '41111101234567'],
  ['pan', null],
  ['cvv', '12a'],
  ['exp_month', '13'],
  ['exp_year', '31'],
])('rejects a number with the %s %p without showing it', async (field, value) => {
  server.answer = () => ({
    body: { ...card, [field]: value === '41111101234567' ? `${value}-${number}` : value },
  });
  const { kind, text } = await failure(issuer.reveal(token));
  expect(kind).toBe('badReply');
  expect(text).not.toMatch(/4111110/);
});

it.each([
  [400, 'The card could not be created', { code: 'PURCHASE_REFUSED', details: { reason: 'DECLINED' } }],
  [422, 'Insufficient funds', { code: 'PURCHASE_REFUSED', details: { reason: 'ISSUER_OUT_OF_FUNDS' } }],
  [401, 'Please provide a valid API key', { code: 'UPSTREAM_UNAVAILABLE' }],
  [403, 'Not for you', { code: 'UPSTREAM_UNAVAILABLE' }],
  [404, 'Not found', { code: 'UPSTREAM_UNAVAILABLE' }],
  [409, 'A request with this key is being processed', { kind: 'unknownOutcome' }],
  [429, 'Slow down', { kind: 'rateLimited' }],
])('converts %d with %j', async (status, message, expected) => {
  server.answer = () => ({ status, headers: { 'retry-after': '7' }, body: { message } });
  const { text, ...rest } = await failure(issuer.issue(wish));
  expect(rest).toMatchObject(expected);
  expect(text).not.toContain(message);
  expect(server.requests).toHaveLength(1);
});

it('reports the issuer as unavailable when the connection is rejected', async () => {
  const away = issuerWith(patientMs, await closedUrl());
  expect(await failure(away.issue(wish))).toMatchObject({ kind: 'unavailable' });
});
