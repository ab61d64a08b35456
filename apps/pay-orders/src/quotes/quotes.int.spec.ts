import { QuoteReply, quotesApi, type QuoteRequest } from '@tollbridge/api';
import { decode, type FieldError } from '@tollbridge/bus';
import { ManualClock, missingCases } from '@tollbridge/testing';
import { readFileSync } from 'node:fs';
import { PayOrders } from '../testing/pay-orders';

jest.setTimeout(60_000);

const { quote } = quotesApi.operations;
const clock = new ManualClock(Date.UTC(2026, 10, 20, 12, 0, 0, 1));
let world: PayOrders;

beforeAll(async () => {
  world = await PayOrders.start({ clock, lifetimeSeconds: 600 });
});
afterAll(() => world?.close());

const request = (changes: Partial<QuoteRequest> = {}): QuoteRequest => ({
  pay_blockchain: 'eip155:8453',
  pay_token: 'USDC',
  settle_chain: 'eip155:8453',
  settle_token: 'USDC',
  settle_amount: '1500000',
  ...changes,
});

describe('POST /api/v1/pay/quote', () => {
  it('200: quotes the same token on the same chain 1:1, until an order made now would expire', async () => {
    const reply = await world.call(quote, request());

    expect(reply).toEqual({
      method: 'Direct',
      pay_amount: '1500000',
      pay_amount_formatted: '1.5',
      pay_amount_usd: null,
      receive_amount: '1500000',
      receive_amount_formatted: '1.5',
      receive_amount_usd: null,
      // Three blocks of two seconds and a poll.
      estimated_time: 7,
      exchange_rate: '1',
      slippage_bps: 0,
      expires_at: '2026-11-20T12:10:01.000Z',
    });
    expect(decode(QuoteReply, reply)).toMatchObject({ ok: true });
    expect((await world.createOrder()).expires_at).toBe(reply.expires_at);
  });

  it("200: knows each token's decimals and the chain's other names", async () => {
    const dai = { pay_token: 'dai', settle_token: 'DAI', pay_blockchain: 'base', settle_amount: '1' };

    expect(await world.call(quote, request(dai))).toMatchObject({
      pay_amount: '1',
      pay_amount_formatted: '0.000000000000000001',
    });
  });

  it('200: keeps every digit of the largest amount', async () => {
    const largest = String(2n ** 256n - 1n);

    const reply = await world.call(quote, request({ settle_amount: largest }));

    expect(reply.pay_amount).toBe(largest);
    expect(reply.pay_amount_formatted.replace('.', '')).toBe(largest);
  });

  it.each(['', ' 1', '+1', '1e18', '0x10', '-1', '0', '1.5', '1'.repeat(79), String(2n ** 256n), 1, null])(
    '400 VALIDATION_ERROR: an amount of %j names the field',
    async (settle_amount) => {
      const failure = await world.failureOf(quote, { ...request(), settle_amount });

      expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'settle_amount' }] });
    },
  );

  it('400 VALIDATION_ERROR: names every field that is missing or not known', async () => {
    const { details } = await world.failureOf(quote, { amount: '1' });

    const fields = (details as FieldError[]).map(({ field }) => field);
    expect(fields).toEqual(['amount', ...Object.keys(request())]);
  });

  it.each([
    ['an unknown chain', { pay_blockchain: 'moonchain' }],
    ['a pair over two chains', { settle_chain: 'arb' }],
    ['a chain that is not taken here', { pay_blockchain: 'eth', settle_chain: 'eth' }],
    ['an unknown token', { pay_token: 'DOGE' }],
    ['a pair of two tokens', { settle_token: 'DAI' }],
  ])('502 QUOTE_UNAVAILABLE: %s', async (_name, changes) => {
    const failure = await world.failureOf(quote, request(changes));

    expect(failure).toMatchObject({ code: 'QUOTE_UNAVAILABLE', status: 502, details: undefined });
  });
});

it('every operation of this feature has a block above, and every error that it declares a case', () => {
  expect(missingCases(Object.values(quotesApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});
