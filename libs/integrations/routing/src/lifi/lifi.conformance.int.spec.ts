import { describeSentSwaps, describeSwapRoutes, type SwapHarness } from '@tollbridge/routing-conformance';
import { arbEther, arbUsdc, baseDai, baseEther, baseUsdc } from '../testing/route-tokens';
import { ScriptedLiFi } from '../testing/scripted-lifi';
import { hashOf, recipient } from '../testing/scripted-swaps';
import { aSwapBuildRequest } from '../testing/swap-request.builder';
import { LiFi } from './lifi.adapter';

const acrossChains = { from: baseUsdc, to: arbUsdc, amountInAtomic: 100_000_000n };
const pairs = [
  ['across chains', acrossChains],
  ['with the coin', { from: baseEther, to: arbEther, amountInAtomic: 10n ** 18n }],
  ['on one chain', { from: baseDai, to: baseUsdc, amountInAtomic: 100n * 10n ** 18n }],
] as const;

async function open(pair: (typeof pairs)[number][1]): Promise<Required<SwapHarness>> {
  const scripted = await ScriptedLiFi.start();
  let sent = 0;
  return {
    routes: new LiFi({ baseUrl: scripted.server.url }),
    request: aSwapBuildRequest(pair),
    otherRecipient: recipient,
    send: (_request, { quote }) => {
      const txHash = hashOf((sent += 1));
      scripted.deliver(txHash, 42161);
      return Promise.resolve({ txHash, receivedAtomic: () => Promise.resolve(quote.amountOutAtomic) });
    },
    close: () => scripted.server.close(),
  };
}

for (const [name, pair] of pairs) describeSwapRoutes(`LI.FI ${name}`, () => open(pair));
describeSentSwaps('LI.FI', () => open(acrossChains));
