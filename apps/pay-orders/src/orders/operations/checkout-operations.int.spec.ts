import { approvalsApi, paymentReviewApi, sandboxOrdersApi } from '@tollbridge/contracts';
import { callContext } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { merchant, PayOrders } from '../../testing/pay-orders';
import { ApprovalsHandlers } from './approvals.handlers';
import { SandboxOrdersHandlers } from './sandbox-orders.handlers';

const { expireOrder } = sandboxOrdersApi.operations;
let harness: PayOrders;
beforeAll(async () => {
  harness = await PayOrders.start({});
});
afterAll(() => harness?.close());

const handlers = () => harness.apps[0]!.context.get(SandboxOrdersHandlers, { strict: false });
const unknown = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';

describe(expireOrder.summary, () => {
  it('OK: expires the order with the next block, and publishes an event', async () => {
    const { order_id: id } = await harness.createOrder();
    await handlers().expireOrder({ id }, callContext());
    // Block times are whole seconds, so the next block may still have the second of the expiry.
    await eventually(async () => {
      await harness.chain.anvil.mine(1);
      expect(await harness.getOrder(id)).toMatchObject({ status: 'expired' });
    });
  });

  it('CONFLICT: rejects an order that is not waiting', async () => {
    await expect(handlers().expireOrder({ id: unknown }, callContext())).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('NOT_FOUND: does not exist outside of the sandbox', async () => {
    const { order_id: id } = await harness.createOrder();
    const sandbox = handlers() as unknown as { config: { environment: string } };
    const elsewhere = Object.create(sandbox, { config: { value: { environment: 'production' } } });
    await expect(elsewhere.expireOrder({ id }, callContext())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await harness.getOrder(id)).toMatchObject({ status: 'waiting_payment' });
  });
});

describe(approvalsApi.operations.approvalState.summary, () => {
  const stateOf = (id: string, tx_hash: string) =>
    harness.apps[0]!.context.get(ApprovalsHandlers, { strict: false }).approvalState(
      { id, tx_hash },
      callContext(),
    );

  it('OK: distinguishes a transaction in a block from one that no block contains', async () => {
    const { order_id: id, direct } = await harness.createOrder();
    const hash = await harness.chain.pay(direct!.payment_order);
    expect(await stateOf(id, hash)).toEqual({ state: 'succeeded' });
    expect(await stateOf(id, `0x${'ab'.repeat(32)}`)).toEqual({ state: 'unseen' });
  });

  it('NOT_FOUND: rejects an unknown order and a hash of another chain', async () => {
    const { order_id: id } = await harness.createOrder();
    const hash = `0x${'ab'.repeat(32)}`;
    for (const [order, tx] of [
      [unknown, hash],
      ['x', hash],
      [id, 'x'],
    ])
      await expect(stateOf(order!, tx!)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe(approvalsApi.operations.submittedState.summary, () => {
  const stateOf = async (id: string, tx_hash: string) => {
    const handlersOfApprovals = harness.apps[0]!.context.get(ApprovalsHandlers, { strict: false });
    return (await handlersOfApprovals.submittedState({ id, tx_hash }, callContext())).state;
  };

  it('OK: distinguishes the payment from unknown, failed and unrelated transactions', async () => {
    const { chain } = harness;
    const [own, other] = [await harness.createOrder(), await harness.createOrder()];
    const { payment_order: terms } = own.direct!;
    const paying = await chain.pay(terms);
    expect(await stateOf(own.order_id, paying)).toBe('paying');
    // The order has been paid, so the contract reverts.
    expect(await stateOf(own.order_id, await chain.pay(terms, { isForced: true }))).toBe('failed');
    expect(await stateOf(own.order_id, `0x${'cd'.repeat(32)}`)).toBe('unseen');
    expect(await stateOf(own.order_id, 'x')).toBe('unseen');
    expect(await stateOf(other.order_id, paying)).toBe('unrelated');
    const transfer = await chain.transfer(merchant, 1n);
    expect(await stateOf(other.order_id, transfer)).toBe('unrelated');
  });

  it('NOT_FOUND: rejects an unknown order', async () => {
    await expect(stateOf(unknown, `0x${'ab'.repeat(32)}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe(paymentReviewApi.operations.reviewPayment.summary, () => {
  const review = (id: string, payer?: string) =>
    harness.call(paymentReviewApi.operations.reviewPayment, { id, ...(payer && { payer }) });

  it('OK: returns the amount, the fee and the balance of the wallet', async () => {
    const { order_id } = await harness.createOrder();
    expect(await review(order_id)).toMatchObject({
      needed: { amount: '100.5', symbol: 'USDC' },
      fee: { symbol: 'ETH' },
      wallet: null,
    });
    const payer = harness.chain.payer.address;
    expect(await review(order_id, payer)).toMatchObject({ wallet: { is_enough: true, short: null } });
  });

  it('OK: returns whether the token or the coin for the fee is insufficient', async () => {
    const { order_id } = await harness.createOrder();
    const empty = Wallet.createRandom().address;
    expect(await review(order_id, empty)).toMatchObject({
      wallet: { held: { amount: '0', symbol: 'USDC' }, is_enough: false, short: 'token' },
    });
    const usdc = (await harness.createOrder()).direct!.payment_order.token_in_address;
    await harness.chain.transfer(empty, 100_500_000n, usdc);
    expect(await review(order_id, empty)).toMatchObject({ wallet: { is_enough: false, short: 'coin' } });
  });

  it('NOT_FOUND: rejects an unknown order', async () => {
    await expect(review(unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
