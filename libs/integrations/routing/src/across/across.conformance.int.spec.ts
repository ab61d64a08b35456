import { describeSentSwaps, describeSwapRoutes, type SwapHarness } from '@tollbridge/routing-conformance';
import { arbDai, arbEther, arbUsdc, baseDai, baseEther, baseUsdc } from '../testing/route-tokens';
import { ScriptedAcross } from '../testing/scripted-across';
import { hashOf, recipient } from '../testing/scripted-swaps';
import { aSwapBuildRequest } from '../testing/swap-request.builder';
import { Across } from './across.adapter';

const token = { from: baseUsdc, to: arbUsdc, amountInAtomic: 100_000_000n };
const pairs = [
  ['a token', token],
  ['the coin', { from: baseEther, to: arbEther, amountInAtomic: 10n ** 18n }],
  ['a token that needs swaps', { from: baseDai, to: arbDai, amountInAtomic: 100n * 10n ** 18n }],
] as const;

async function open(pair: typeof token | (typeof pairs)[number][1]): Promise<Required<SwapHarness>> {
  const scripted = await ScriptedAcross.start();
  let sent = 0;
  return {
    routes: new Across({ baseUrl: scripted.server.url }),
    request: aSwapBuildRequest(pair),
    otherRecipient: recipient,
    send: (_request, { quote }) => {
      const txHash = hashOf((sent += 1));
      scripted.fill(txHash);
      return Promise.resolve({ txHash, receivedAtomic: () => Promise.resolve(quote.amountOutAtomic) });
    },
    close: () => scripted.server.close(),
  };
}

for (const [name, pair] of pairs) describeSwapRoutes(`Across with ${name}`, () => open(pair));
describeSentSwaps('Across', () => open(token));
