import { OneClick } from '@tollbridge/routing';
import { describeCrossChainRoutes } from '@tollbridge/routing-conformance';
import { Wallet } from 'ethers';
import { OneClickHarness } from '../testing/oneclick-harness';

// Runs the product's own adapter, with real transfers.
describeCrossChainRoutes('OneClick, against the simulator', async () => {
  const harness = await OneClickHarness.start();
  const { base, arbitrum, oneclick, clock } = harness;
  const usdcOn = ({ id, usdc }: typeof base) => {
    const { symbol, address, decimals } = usdc;
    return { chain: id, symbol, address, decimals };
  };
  // Deliveries wait for blocks of both chains.
  const blocks = setInterval(() => void Promise.all([base.anvil.mine(), arbitrum.anvil.mine()]), 100);
  return {
    routes: new OneClick({ baseUrl: oneclick.url, publicKey: oneclick.publicKey }),
    request: {
      from: usdcOn(base),
      to: usdcOn(arbitrum),
      amountOutAtomic: 10_000_000n,
      slippageBps: 50,
      recipient: Wallet.createRandom().address,
      refundTo: Wallet.createRandom().address,
      deadline: new Date(clock.now() + 2 * 60 * 60_000),
    },
    fund: async ({ address }, amountAtomic) => void (await harness.pay(base, 'USDC', address, amountAtomic)),
    passDeadline: ({ deposit }) => oneclick.pastDeadline({ depositAddress: deposit.address }),
    async close() {
      clearInterval(blocks);
      await harness.close();
    },
  };
});
