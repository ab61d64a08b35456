import { LiFi } from '@tollbridge/routing';
import { describeSentSwaps, describeSwapRoutes } from '@tollbridge/routing-conformance';
import { closeSwapHarness, openSwapHarness, type Pair } from '../testing/swap-conformance';

afterAll(closeSwapHarness);

const pairs: Pair[] = [
  { from: 'USDT', to: 'DAI', amountAtomic: 100_000_000n },
  { from: 'ETH', to: 'WETH', amountAtomic: 10n ** 16n },
  { from: 'USDT', to: 'DAI', amountAtomic: 100_000_000n, isOnOneChain: true },
  { from: 'DAI', to: 'ETH', amountAtomic: 10n ** 20n, isOnOneChain: true },
];
const lifi = ({ lifiUrl }: { lifiUrl: string }) => new LiFi({ baseUrl: lifiUrl });

// Runs the product's own adapter, with real transfers.
for (const pair of pairs) {
  const where = pair.isOnOneChain ? 'on one chain' : 'across chains';
  const name = `LI.FI, against the simulator, ${pair.from} to ${pair.to} ${where}`;
  describeSwapRoutes(name, () => openSwapHarness(pair, lifi));
  describeSentSwaps(name, () => openSwapHarness(pair, lifi));
}
