import { Across } from '@tollbridge/routing';
import { describeSentSwaps, describeSwapRoutes } from '@tollbridge/routing-conformance';
import { closeSwapHarness, openSwapHarness, type Pair } from '../testing/swap-conformance';

afterAll(closeSwapHarness);

const pairs: Pair[] = [
  { from: 'USDC', to: 'USDC', amountAtomic: 100_000_000n },
  { from: 'USDT', to: 'DAI', amountAtomic: 100_000_000n },
  { from: 'ETH', to: 'ETH', amountAtomic: 10n ** 16n },
  { from: 'ETH', to: 'USDT', amountAtomic: 10n ** 16n },
  { from: 'DAI', to: 'WETH', amountAtomic: 10n ** 20n },
];
const across = ({ acrossUrl }: { acrossUrl: string }) => new Across({ baseUrl: acrossUrl });

// Runs the product's own adapter, with real transfers.
for (const pair of pairs) {
  const name = `Across, against the simulator, ${pair.from} to ${pair.to}`;
  describeSwapRoutes(name, () => openSwapHarness(pair, across));
  describeSentSwaps(name, () => openSwapHarness(pair, across));
}
