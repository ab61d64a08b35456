import { SwapReply, swapsApi, type CreateOrderReply } from '@tollbridge/contracts';
import { decode, type FieldError } from '@tollbridge/rpc';
import { chains, sampleAddress } from '@tollbridge/chains';
import { eventually, missingCases } from '@tollbridge/testing';
import { readFileSync } from 'node:fs';
import { PayOrders } from '../testing/pay-orders';

const { getStatus } = swapsApi.operations;
const base = 'eip155:8453';
const arbitrum = 'eip155:42161';
let harness: PayOrders;

beforeAll(async () => {
  harness = await PayOrders.start({ confirmations: 2, otherChainId: 42161, routes: 'simulated' });
});
afterAll(() => harness?.close());

/** Creates an order of 25 USDC on Base, paid in WETH on Arbitrum. */
const order = (changes: object = {}): Promise<CreateOrderReply> =>
  harness.createOrder({
    pay_blockchain: arbitrum,
    pay_token: 'WETH',
    settle_chain: base,
    settle_token: 'USDC',
    merchant_amount: '25000000',
    ...changes,
  });
const addressOf = ({ cross_chain }: CreateOrderReply): string => cross_chain!.deposit_address;
const pay = (reply: CreateOrderReply, share = 1n): Promise<string> => {
  const { otherChain } = harness;
  const amount = BigInt(reply.cross_chain!.deposit_amount) / share;
  return otherChain!.transfer(addressOf(reply), amount, otherChain!.weth.address);
};
const read = (deposit_address: string, deposit_memo?: string): Promise<SwapReply> =>
  harness.call(getStatus, { deposit_address, ...(deposit_memo !== undefined && { deposit_memo }) });
/** Mines blocks on both chains until the swap has the expected state. */
const until = (reply: CreateOrderReply, expected: object): Promise<SwapReply> =>
  eventually(async () => {
    await Promise.all([harness.chain.anvil.mine(), harness.otherChain!.anvil.mine()]);
    const found = await read(addressOf(reply));
    expect(found).toMatchObject(expected);
    return found;
  });
const fieldsOf = (details: unknown): string[] => (details as FieldError[]).map(({ field }) => field);
const nothing = {
  from_tx: null,
  to_tx: null,
  from_amount: null,
  to_amount: null,
  deposited_amount: null,
  refunded_amount: null,
  refund_reason: null,
};

describe('GET /api/v1/swap/status', () => {
  it('200: returns a swap without a deposit', async () => {
    const reply = await order();

    const found = await read(addressOf(reply));

    expect(found).toEqual({ status: 'pending_deposit', order_id: reply.order_id, ...nothing });
    expect(decode(SwapReply, found)).toMatchObject({ ok: true });
  });

  it('200: returns a submitted payment that was not found yet', async () => {
    const reply = await order();
    const hash = `0x${'ab'.repeat(32)}`;
    await harness.report(reply.order_id, hash);

    expect(await read(addressOf(reply))).toMatchObject({ status: 'pending_deposit', from_tx: hash });
  });

  it('200: returns an incomplete deposit, then its refund', async () => {
    const reply = await order();
    const hash = await pay(reply, 2n);
    const half = String(BigInt(reply.cross_chain!.deposit_amount) / 2n);
    await until(reply, { status: 'incomplete_deposit', from_tx: hash, from_amount: half, to_tx: null });

    await harness.oneClick.pastDeadline({ depositAddress: addressOf(reply) });
    const found = await until(reply, { status: 'refunded' });
    expect(found).toMatchObject({ to_amount: null, refund_reason: 'less arrived than was needed' });
    expect(BigInt(found.refunded_amount!)).toBeLessThanOrEqual(BigInt(half));
    expect(decode(SwapReply, found)).toMatchObject({ ok: true });
  });

  it('200: returns a delivered swap with both transactions and amounts', async () => {
    const reply = await order();
    const hash = await pay(reply);

    const found = await until(reply, { status: 'completed', from_tx: hash, to_amount: '25000000' });

    const receipt = await harness.chain.anvil.provider.getTransactionReceipt(found.to_tx!);
    expect(receipt).toMatchObject({ status: 1 });
    expect(decode(SwapReply, found)).toMatchObject({ ok: true });
  });

  it('200: returns a refunded and a failed swap', async () => {
    const [refunded, failed] = [
      await order({ merchant_amount: '25006403' }),
      await order({ merchant_amount: '25006411' }),
    ];
    for (const reply of [refunded, failed]) await pay(reply);

    await until(refunded, { status: 'refunded', refund_reason: 'there was no liquidity', to_amount: null });
    await until(failed, { status: 'failed', to_amount: null });
  });

  it.each(['waiting', 'seen', 'incomplete', 'processing', 'delivered', 'refunded', 'failed'])(
    '200: has a status for the deposit state %s',
    async (state) => {
      const reply = await order();
      // Closed, so that the worker does not check it again.
      await harness.database.query(
        'UPDATE deposits SET state = $2, closed_at = now(), deposit_tx = $3 WHERE order_id = $1',
        [reply.order_id, state, '0xdeposit'],
      );

      const found = await read(addressOf(reply));

      expect(decode(SwapReply, found)).toMatchObject({ ok: true });
      expect(found).toMatchObject({ from_tx: '0xdeposit', order_id: reply.order_id });
    },
  );

  it('200: finds an EVM address in any spelling', async () => {
    const reply = await order();
    const address = addressOf(reply);
    const spellings = [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`];
    for (const stored of [address, address.toLowerCase()]) {
      await harness.database.query('UPDATE deposits SET address = $2 WHERE order_id = $1', [
        reply.order_id,
        stored,
      ]);
      for (const spelling of spellings)
        expect(await read(spelling)).toMatchObject({ order_id: reply.order_id });
    }
  });

  it('200: finds an address in the spelling of the provider', async () => {
    const reply = await order();
    const bounceable = 'EQC2ey8kSZJ5VheHztsDui0C4h6oAObHJHUAjt6rtIGgFVya';
    await harness.database.query('UPDATE deposits SET address = $2, closed_at = now() WHERE order_id = $1', [
      reply.order_id,
      bounceable,
    ]);

    expect(await read(bounceable)).toMatchObject({ order_id: reply.order_id });
  });

  it('200: distinguishes deposits of one address by their memos', async () => {
    const stellar = chains.find(({ id }) => id === 'stellar')!;
    const pair = { pay_blockchain: 'stellar', pay_token: 'XLM', payer_address: sampleAddress(stellar) };
    const [first, second] = [await order(pair), await order(pair)];
    const memos = [first, second].map(({ cross_chain }) => cross_chain!.deposit_memo!);

    expect(addressOf(first)).toBe(addressOf(second));
    expect(await read(addressOf(first), memos[0])).toMatchObject({ order_id: first.order_id });
    expect(await read(addressOf(first), memos[1])).toMatchObject({ order_id: second.order_id });
    for (const memo of [undefined, '', `${memos[0]}0`]) {
      const query = { deposit_address: addressOf(first), ...(memo !== undefined && { deposit_memo: memo }) };
      expect((await harness.failureOf(getStatus, query)).code).toMatch(/^(NOT_FOUND|VALIDATION_ERROR)$/);
    }
  });

  it.each([
    ['belongs to no deposit', '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063'],
    ['is not an address', 'x'],
    ['looks like SQL', `' OR 1=1 --`],
  ])('404 NOT_FOUND: rejects an address that %s', async (_name, deposit_address) => {
    expect(await harness.failureOf(getStatus, { deposit_address })).toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
    });
  });

  it('404 NOT_FOUND: rejects a memo for a deposit without one', async () => {
    const query = { deposit_address: addressOf(await order()), deposit_memo: '1' };

    expect(await harness.failureOf(getStatus, query)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['a missing address', {}, 'deposit_address'],
    ['an empty address', { deposit_address: '' }, 'deposit_address'],
    ['an address that is too long', { deposit_address: 'a'.repeat(257) }, 'deposit_address'],
    ['an address with a zero byte', { deposit_address: 'a\0' }, 'deposit_address'],
    ['an unknown field', { deposit_address: 'a', memo: '1' }, 'memo'],
  ])('400 VALIDATION_ERROR: rejects %s', async (_name, query, field) => {
    const failure = await harness.failureOf(getStatus, query);

    expect([failure.code, fieldsOf(failure.details)]).toEqual(['VALIDATION_ERROR', [field]]);
  });
});

it('covers each operation and declared error', () => {
  expect(missingCases(Object.values(swapsApi.operations), readFileSync(__filename, 'utf8'))).toEqual([]);
});
