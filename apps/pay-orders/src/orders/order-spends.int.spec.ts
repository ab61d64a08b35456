import { quotesApi, type CreateOrderRequest } from '@tollbridge/contracts';
import { callContext, keyPrincipal } from '@tollbridge/rpc';
import { eventually, type FakeServiceCall } from '@tollbridge/testing';
import { v7 as uuid } from 'uuid';
import { PayOrders } from '../testing/pay-orders';

const keyId = uuid();
const context = callContext({ principal: keyPrincipal(keyId, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8') });
let harness: PayOrders;

beforeAll(async () => {
  harness = await PayOrders.start({ otherChainId: 42161, routes: 'simulated' });
  // From here on, tokens have prices.
  const pair = { pay_blockchain: harness.chain.id, pay_token: 'USDC', settle_chain: harness.chain.id };
  await eventually(async () => {
    const quote = { ...pair, settle_token: 'USDC', settle_amount: '1' };
    expect(await harness.call(quotesApi.operations.quote, quote)).toMatchObject({
      receive_amount_usd: expect.any(String),
    });
  });
});
afterAll(() => harness?.close());

const allow = () => ({ output: { status: 'reserved' } });
beforeEach(() => {
  harness.budgets.answer = allow;
  harness.budgets.calls.length = 0;
});

const create = (changes: Partial<CreateOrderRequest> = {}) => harness.createOrder(changes, context);
const across = { pay_blockchain: 'eip155:42161', pay_token: 'WETH' };
const asked = () => harness.budgets.calls.map(({ subject }) => subject.split('.').at(-1));
const stored = async (id: unknown): Promise<number> =>
  (await harness.database.query('SELECT FROM orders WHERE id = $1', [id])).length;

/** Expects releases with the references and attempts of all reservations. */
function expectReleased(reservations = 1): void {
  const calls = [...harness.budgets.calls] as FakeServiceCall[];
  expect(asked()).toEqual([...Array<string>(reservations).fill('reserve'), 'release']);
  const { input: released } = calls.pop()!;
  for (const { input } of calls)
    expect(released).toEqual({ reference: input['reference'], attempt: input['attempt'] });
}

it.each([
  ['directly', {}, { valueUsd: '100.50', description: 'Order of 100.5 USDC on Base' }],
  [
    'across chains',
    { ...across, merchant_amount: '25000000', fee_amount: '0' },
    { valueUsd: '25.00', description: 'Order of 25 USDC on Base' },
  ],
])(
  'reserves the value of an order that a key creates %s, before the order is stored',
  async (_how, changes, expected) => {
    const seen: number[] = [];
    harness.budgets.answer = async ({ input }) => {
      seen.push(await stored(input['reference']));
      return allow();
    };
    const { order_id: reference } = await create(changes);
    expect(harness.budgets.calls.map(({ input }) => input)).toEqual([
      { ...expected, keyId, kind: 'order', reference, attempt: expect.any(String) },
    ]);
    expect(seen).toEqual([0]);
    expect(await stored(reference)).toBe(1);
  },
);

it('reserves no budget for an order without a key', async () => {
  await harness.createOrder();
  expect(asked()).toEqual([]);
});

it.each([{}, across])(
  'creates no order, and requests no quote, when the budget rejects it: %j',
  async (changes) => {
    harness.budgets.answer = () => ({ failure: { code: 'BUDGET_EXCEEDED', message: 'Too much.' } });
    await expect(create(changes)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED', status: 403 });
    const reference = harness.budgets.calls[0]!.input['reference'];
    expect(await stored(reference)).toBe(0);
    expect(
      await harness.database.query('SELECT FROM route_commits WHERE order_id = $1', [reference]),
    ).toEqual([]);
  },
);

it('returns 503 and stores nothing when the budget does not reply in time', async () => {
  harness.budgets.answer = ({ subject }) =>
    subject.endsWith('reserve') ? 'silence' : { output: { status: 'released' } };
  await expect(create()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  // The reservation is retried once, and either call may have succeeded.
  await eventually(() => expectReleased(2));
  expect(await stored(harness.budgets.calls[0]!.input['reference'])).toBe(0);
});

it('releases the reservation of an order without a route', async () => {
  await expect(create({ ...across, merchant_amount: '25006401', fee_amount: '0' })).rejects.toMatchObject({
    code: 'ROUTE_UNAVAILABLE',
  });
  expectReleased();
});

it('releases the reservation of an order that the database rejects', async () => {
  const [{ current_user: owner }] = (await harness.database.query('SELECT current_user')) as [
    { current_user: string },
  ];
  const runtime = owner.replace(/_owner$/, '');
  await harness.database.query(`REVOKE INSERT ON outbox FROM ${runtime}`);
  try {
    await expect(create()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  } finally {
    await harness.database.query(`GRANT INSERT ON outbox TO ${runtime}`);
  }
  expectReleased();
});
