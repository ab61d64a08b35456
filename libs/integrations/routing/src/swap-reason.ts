// Explains in a sentence why a quote was chosen. Pure.
import { formatUnits } from '@tollbridge/money';
import type { RejectionReason, RouteToken } from './cross-chain-routes';
import type { FailureReason, ProviderAnswer } from './provider-answer';

type Quoted = Extract<ProviderAnswer, { outcome: 'quoted' }>;

const rejectionWords: Readonly<Record<RejectionReason, string>> = {
  noRoute: 'has no route',
  noLiquidity: 'has too little liquidity',
  belowMinimum: 'needs a larger amount',
  aboveMaximum: 'needs a smaller amount',
  badRecipient: 'cannot pay this recipient',
  badRefundAddress: 'cannot refund this sender',
  priceMoved: 'cannot keep its price',
};

const failureWords: Readonly<Record<FailureReason, string>> = {
  late: 'did not answer in time',
  unavailable: 'could not be reached',
  rateLimited: 'is over its rate limit',
  rejected: 'rejected the request',
  badReply: 'sent no valid answer',
  unknownOutcome: 'sent no valid answer',
  broken: 'failed with an internal error',
};

/** Returns, for example, `across delivers 99.80 USDC after gas; lifi 99.71; uniswap has no route`. */
export function reasonOf(
  answers: readonly ProviderAnswer[],
  { best, token }: { best: string; token: RouteToken },
): string {
  const quoted = answers.filter((answer) => answer.outcome === 'quoted');
  const countsGas = quoted.every(({ gasCostAtomic }) => gasCostAtomic !== null);
  const shown = (answer: Quoted) => readable(netOf(answer, countsGas), token.decimals);
  const chosen = quoted.find(({ provider }) => provider === best);
  const first = chosen && `${best} delivers ${shown(chosen)} ${token.symbol}${countsGas ? ' after gas' : ''}`;
  const others = answers
    .filter(({ provider }) => provider !== best)
    .map((answer) => {
      if (answer.outcome === 'quoted') return `${answer.provider} ${shown(answer)}`;
      const words =
        answer.outcome === 'rejected' ? rejectionWords[answer.reason] : failureWords[answer.reason];
      return `${answer.provider} ${words}`;
    });
  const ignored = countsGas ? [] : ['gas is not counted, because its price is unknown'];
  return [first, ...others, ...ignored].filter((part) => part !== undefined).join('; ');
}

function netOf({ amountOutAtomic, gasCostAtomic }: Quoted, countsGas: boolean): bigint {
  return countsGas ? amountOutAtomic - (gasCostAtomic ?? 0n) : amountOutAtomic;
}

const shownDigits = 6;

/** Truncates to two decimals, or to six significant digits. */
function readable(amountAtomic: bigint, decimals: number): string {
  if (amountAtomic < 0n) return `-${readable(-amountAtomic, decimals)}`;
  const [whole = '0', fraction = ''] = formatUnits(amountAtomic, decimals).split('.');
  const zeros = whole === '0' ? /^0*/.exec(fraction)![0].length : 0;
  const digits = Math.max(whole === '0' ? zeros + shownDigits : shownDigits - whole.length, 2);
  const kept = fraction.slice(0, digits).replace(/0+$/, '').padEnd(Math.min(2, decimals), '0');
  return kept === '' ? whole : `${whole}.${kept}`;
}
