import { chainsApi } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import { PayOrders } from '../testing/pay-orders';

// One descriptor file and its line in the list of chains suffice to add a chain.
jest.mock('../../../../libs/domain/chains/src/chains', () => {
  const { chainDescriptors } = jest.requireActual('../../../../libs/domain/chains/src/chains');
  const { exampleChain } = jest.requireActual('../../../../libs/domain/chains/src/testing/example-chain');
  return { chainDescriptors: [...chainDescriptors, exampleChain] };
});

const chainId = 424_242;
let harness: PayOrders;

beforeAll(async () => {
  harness = await PayOrders.start({ otherChainId: chainId, confirmations: 2 });
});
afterAll(() => harness?.close());

describe('an EVM chain added by one descriptor', () => {
  it('finds the chain by its names and lists it as available', async () => {
    expect(findChain('example-mainnet')?.id).toBe(`eip155:${chainId}`);
    const { details } = await harness.call(chainsApi.operations.listChains, {});
    expect(details.find(({ id }) => id === `eip155:${chainId}`)).toMatchObject({
      short_name: 'example',
      is_direct: true,
      is_available: true,
    });
  });

  it.each(['USDC', 'ETH'])('settles a payment in %s', async (token) => {
    const chain = harness.otherChain!;
    const order = await harness.createOrder({
      pay_blockchain: 'example',
      pay_token: token,
      settle_chain: 'example',
      settle_token: token,
      payer_address: chain.payer.address,
    });
    const hash = await chain.pay(order.direct!.payment_order);
    await chain.anvil.mine(2);
    await harness.orderWith(order.order_id, { status: 'settled', pay_tx: hash, settle_tx: hash });
  });
});
