import { ChainAdapters } from '@tollbridge/chain-port';
import {
  ordersApi,
  quotesApi,
  swapsApi,
  type CreateOrderReply,
  type OrderReply,
} from '@tollbridge/contracts';
import { eventually } from '@tollbridge/testing';
import { merchant, PayOrders } from '../testing/pay-orders';

const arbitrum = 'eip155:42161';
const base = 'eip155:8453';
const confirmations = 2;
let harness: PayOrders;

beforeAll(async () => {
  harness = await PayOrders.start({ confirmations, otherChainId: 42161, routes: 'simulated' });
});
afterAll(() => harness?.close());

const across = { pay_blockchain: arbitrum, pay_token: 'WETH', settle_chain: base, settle_token: 'USDC' };
const order = (changes: object = {}) =>
  harness.createOrder({ ...across, merchant_amount: '25000000', ...changes });
const weth = () => harness.otherChain!.weth.address;

const deposit = (reply: CreateOrderReply, amount = BigInt(reply.cross_chain!.deposit_amount)) =>
  harness.otherChain!.transfer(reply.cross_chain!.deposit_address, amount, weth());

/** Mines blocks on both chains until the order has the expected state. */
function settles(id: string, expected: object): Promise<OrderReply> {
  return eventually(async () => {
    await Promise.all([harness.chain.anvil.mine(), harness.otherChain!.anvil.mine()]);
    const found = await harness.getOrder(id);
    expect(found).toMatchObject(expected);
    return found;
  });
}

describe('a cross-chain order', () => {
  it('accepts a transfer on one chain and settles with a transfer on the other', async () => {
    const before = await harness.chain.balanceOf(merchant, harness.chain.usdc.address);
    const reply = await order();
    expect(reply).toMatchObject({
      method: 'CrossChain',
      direct: null,
      cross_chain: {
        deposit_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        deposit_memo: null,
        deposit_blockchain: arbitrum,
        deposit_token: 'WETH',
      },
    });
    const hash = await deposit(reply);
    expect(await harness.report(reply.order_id, hash)).toBe('settling');
    const settled = await settles(reply.order_id, { status: 'settled', late: false });
    expect(settled).toMatchObject({
      pay_tx: hash,
      settled_amount: '25000000',
      cross_chain: { deposit_status: 'delivered', settlement_proof: 'chain' },
    });
    const receipt = await harness.chain.anvil.provider.getTransactionReceipt(settled.settle_tx!);
    expect(receipt).toMatchObject({ status: 1 });
    expect(await harness.chain.balanceOf(merchant, harness.chain.usdc.address)).toBe(before + 25_000_000n);
    expect(await harness.eventsOf(reply.order_id)).toEqual([
      'order-created',
      'order-settling',
      'order-settled',
    ]);
    const [settlement] = harness.events.of(reply.order_id).slice(-1);
    expect(settlement!.envelope.data).toMatchObject({ settled_value_usd: '25.00' });
  });

  it('finds its deposit without a report of a transaction', async () => {
    const reply = await order();
    const hash = await deposit(reply);
    await settles(reply.order_id, { status: 'settled', pay_tx: hash });
  });

  it('waits with an incomplete deposit, then fails with a refund after the deadline', async () => {
    const reply = await order();
    const amount = BigInt(reply.cross_chain!.deposit_amount);
    const { payer } = harness.otherChain!;
    await deposit(reply, amount / 2n);
    await settles(reply.order_id, { status: 'settling', cross_chain: { deposit_status: 'incomplete' } });
    const { version } = await harness.getOrder(reply.order_id);
    await deposit(reply, 1n);
    const more = { cross_chain: { deposited_amount: String(amount / 2n + 1n) } };
    await settles(reply.order_id, more);
    // The version increases, so pages that watch the order show the missing amount.
    expect((await harness.getOrder(reply.order_id)).version).toBe(version + 1);
    const before = await harness.otherChain!.balanceOf(payer.address, weth());
    await harness.oneClick.pastDeadline({ depositAddress: reply.cross_chain!.deposit_address });
    const failed = await settles(reply.order_id, { status: 'failed', settle_tx: null });
    expect(failed.failure_reason).toMatch(
      /^DEPOSIT_REFUNDED: less arrived than was needed; deposited \d+; refunded \d+$/,
    );
    expect(failed.cross_chain).toMatchObject({
      deposit_status: 'refunded',
      deposited_amount: String(amount / 2n + 1n),
    });
    const refunded = await harness.otherChain!.balanceOf(payer.address, weth());
    expect(refunded - before).toBe(BigInt(failed.cross_chain!.refunded_amount!));
    await harness.eventsOf(reply.order_id);
    const published = harness.events.of(reply.order_id).map(({ envelope }) => envelope);
    expect(published.at(-1)).toMatchObject({
      type: 'order-failed',
      data: { refunded_amount: failed.cross_chain!.refunded_amount },
    });
  });

  it('does not settle when the delivery does not pay the merchant', async () => {
    const reply = await order({ merchant_amount: '25006406' });
    await deposit(reply);
    await settles(reply.order_id, { status: 'settling', cross_chain: { deposit_status: 'delivered' } });
    const rows = await harness.database.query('SELECT problem FROM deposits WHERE order_id = $1', [
      reply.order_id,
    ]);
    expect(rows).toEqual([{ problem: expect.stringContaining('do not pay the merchant') }]);
  });

  it('fails with the received amount when the delivery is too small', async () => {
    const reply = await order({ merchant_amount: '25006404' });
    await deposit(reply);
    const failed = await settles(reply.order_id, { status: 'failed' });
    expect(failed).toMatchObject({ settled_amount: String((25_006_404n * 7n) / 10n) });
    expect(failed.failure_reason).toMatch(/^DELIVERED_TOO_LITTLE/);
  });
});

it("a cross-chain quote contains the payer's price with slippage, also in dollars", async () => {
  const request = { ...across, settle_amount: '25000000' };
  const reply = await eventually(async () => {
    const quote = await harness.call(quotesApi.operations.quote, request);
    expect(quote.pay_amount_usd).not.toBeNull();
    return quote;
  });
  expect(reply).toMatchObject({ method: 'CrossChain', receive_amount: '25000000', slippage_bps: 50 });
  expect(Number(reply.pay_amount_usd)).toBeGreaterThan(25);
});

it('the swap status finds a deposit by its address', async () => {
  const reply = await order();
  const { deposit_address } = reply.cross_chain!;
  expect(await harness.call(swapsApi.operations.getStatus, { deposit_address })).toMatchObject({
    status: 'pending_deposit',
    order_id: reply.order_id,
  });
});

describe('the wallet call that makes the deposit of an order', () => {
  const { walletCall } = ordersApi.operations;
  const payer = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
  const adapter = () => harness.apps[0]!.context.get(ChainAdapters, { strict: false }).find(arbitrum)!;
  const asked = () => jest.spyOn(adapter(), 'transferCall');
  afterEach(() => jest.restoreAllMocks());

  it('transfers exactly the amount to the deposit address', async () => {
    const { order_id: id, cross_chain } = await order();
    const call = { family: 'sui' as const, transactionKind: 'AAAB' };
    const making = asked().mockResolvedValueOnce(call);
    expect(await harness.call(walletCall, { id, payer: payer.toLowerCase() })).toMatchObject({
      order_id: id,
      chain: arbitrum,
      contract_address: null,
      deposit_address: cross_chain!.deposit_address,
      wallet_call: { family: 'sui', sui: { transaction_kind: 'AAAB' } },
    });
    expect(making.mock.calls).toEqual([
      [
        {
          token: expect.objectContaining({ symbol: 'WETH' }),
          receiver: cross_chain!.deposit_address,
          amountAtomic: BigInt(cross_chain!.deposit_amount),
          memo: null,
          expiresAtMs: expect.any(Number),
        },
        payer,
      ],
    ]);
  });

  it('does not exist on an EVM chain, and causes an error for an order that has its deposit', async () => {
    const { order_id: id, ...reply } = await order();
    expect(await harness.call(walletCall, { id, payer })).toMatchObject({ wallet_call: null });
    const hash = await deposit({ order_id: id, ...reply });
    await harness.report(id, hash);
    expect(await harness.failureOf(walletCall, { id, payer })).toMatchObject({ code: 'ORDER_NOT_WAITING' });
  });

  it.each(['amount', 'deposit_address', 'memo'])('accepts no %s of the client', async (field) => {
    const { order_id: id } = await order();
    const input = { id, payer, [field]: payer };
    expect(await harness.failureOf(walletCall, input)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field }],
    });
  });

  it('rejects a payer of another chain, and hides the error of the node', async () => {
    const { order_id: id } = await order();
    expect(await harness.failureOf(walletCall, { id, payer: 'x' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'payer' }],
    });
    asked().mockRejectedValueOnce(new Error('node 1 does not answer'));
    const failure = await harness.failureOf(walletCall, { id, payer });
    expect(failure).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(JSON.stringify(failure)).not.toContain('node 1');
  });
});
