import { sandboxOrdersApi } from '@tollbridge/contracts';
import { callContext } from '@tollbridge/rpc';
import { PayOrders } from '../testing/pay-orders';
import { SandboxOrdersHandlers } from './sandbox-orders.handlers';

jest.setTimeout(60_000);

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
    await harness.chain.anvil.mine(2);
    await harness.orderWith(id, { status: 'expired' });
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
