import { approvalsApi, sandboxOrdersApi } from '@tollbridge/contracts';
import { callContext } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { PayOrders } from '../testing/pay-orders';
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
  it('OK: the order expires with the next block, by an event', async () => {
    const { order_id: id } = await harness.createOrder();
    await handlers().expireOrder({ id }, callContext());
    // Block times are whole seconds, so the next block may still be of the second of the expiry.
    await eventually(async () => {
      await harness.chain.anvil.mine(1);
      expect(await harness.getOrder(id)).toMatchObject({ status: 'expired' });
    });
  });

  it('CONFLICT: for an order that does not wait', async () => {
    await expect(handlers().expireOrder({ id: unknown }, callContext())).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('NOT_FOUND: outside of the sandbox', async () => {
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

  it('OK: a transaction in a block, and one that no block has', async () => {
    const { order_id: id, direct } = await harness.createOrder();
    const hash = await harness.chain.pay(direct!.payment_order);
    expect(await stateOf(id, hash)).toEqual({ state: 'succeeded' });
    expect(await stateOf(id, `0x${'ab'.repeat(32)}`)).toEqual({ state: 'unseen' });
  });

  it('NOT_FOUND: for an unknown order, and a hash of another chain', async () => {
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
