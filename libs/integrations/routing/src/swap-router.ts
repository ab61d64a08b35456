import { ExchangeAbort, ProviderError, untilAborted } from '@tollbridge/http';
import { RouteRejection, type RejectionReason, type RouteToken } from './cross-chain-routes';
import type { FailureReason, ProviderAnswer } from './provider-answer';
import { reasonOf } from './swap-reason';
import type { SwapQuote, SwapRequest, SwapRoutes } from './swap-routes';

export type { FailureReason, ProviderAnswer } from './provider-answer';

export interface RoutedSwap {
  /** The provider that made the quote and builds the swap. */
  provider: string;
  quote: SwapQuote;
  /** The answers of all providers, in the order of the providers. */
  answers: readonly ProviderAnswer[];
  /** Explanation of the choice, for display. */
  reason: string;
}

export interface SwapRouterOptions {
  /** Providers that are called concurrently and compared. Of equal quotes, the first provider's is chosen. */
  providers: readonly SwapRoutes[];
  /** Providers with low rate limits. They are called only for pairs that no other provider serves. */
  lastResorts?: readonly SwapRoutes[];
  /** Returns the cost of gas on the chain of `from`, in the smallest unit of the output token; null if unknown. */
  gasCostInOutput: (request: SwapRequest, gasUnits: bigint) => bigint | null;
  timeoutMs?: number;
  /** Called for logging, because answers contain only the kind of a failure. */
  onFailure?: (provider: string, error: unknown) => void;
}

type Quoted = Extract<ProviderAnswer, { outcome: 'quoted' }> & { quote: SwapQuote };
type Outcome = Quoted | Exclude<ProviderAnswer, { outcome: 'quoted' }>;

// Rejections that the user can act on come first.
const rejectionOrder: readonly RejectionReason[] = [
  'belowMinimum',
  'aboveMaximum',
  'noLiquidity',
  'priceMoved',
  'badRecipient',
  'badRefundAddress',
  'noRoute',
];
// A caller waits for the quote, so the limit is short.
const defaultTimeoutMs = 5_000;

/**
 * Calls all providers of a pair concurrently and chooses the best quote. Slow or failing providers do not delay the
 * others.
 */
export class SwapRouter {
  private readonly byName: ReadonlyMap<string, SwapRoutes>;

  constructor(private readonly options: SwapRouterOptions) {
    const all = [...options.providers, ...(options.lastResorts ?? [])];
    this.byName = new Map(all.map((routes) => [routes.name, routes]));
    if (this.byName.size < all.length) throw new Error('two swap providers have the same name');
  }

  serves(from: RouteToken, to: RouteToken): boolean {
    return this.serving(from, to).length > 0;
  }

  /**
   * Returns a provider by name. The provider of a quote also builds the swap and reports its status. Undefined for a
   * provider that is disabled now.
   */
  provider(name: string): SwapRoutes | undefined {
    return this.byName.get(name);
  }

  /**
   * Returns the best quote after gas.
   * @throws RouteRejection if a provider replied, but none supports the swap
   * @throws ProviderError `unavailable` if no provider replied
   */
  async quote(request: SwapRequest, signal?: AbortSignal): Promise<RoutedSwap> {
    const serving = this.serving(request.from, request.to);
    if (serving.length === 0) throw new RouteRejection('noRoute');
    const outcomes = await Promise.all(serving.map((routes) => this.ask(routes, request, signal)));
    const quoted = outcomes.filter((outcome) => outcome.outcome === 'quoted');
    const [best] = ranked(quoted);
    if (!best) throw failureOf(outcomes);
    const answers = outcomes.map(answerOf);
    const reason = reasonOf(answers, { best: best.provider, token: request.to });
    return { provider: best.provider, quote: best.quote, answers, reason };
  }

  private serving(from: RouteToken, to: RouteToken): SwapRoutes[] {
    const { providers, lastResorts = [] } = this.options;
    const first = providers.filter((routes) => routes.serves(from, to));
    return first.length > 0 ? first : lastResorts.filter((routes) => routes.serves(from, to));
  }

  private async ask(routes: SwapRoutes, request: SwapRequest, signal?: AbortSignal): Promise<Outcome> {
    const provider = routes.name;
    const abort = new ExchangeAbort(this.options.timeoutMs ?? defaultTimeoutMs, signal);
    try {
      const quote = await untilAborted(routes.quote(request, abort.signal), abort.signal);
      const gasCostAtomic = this.options.gasCostInOutput(request, quote.gasUnits);
      const { amountOutAtomic } = quote;
      return { provider, outcome: 'quoted', amountOutAtomic, gasCostAtomic, quote };
    } catch (error) {
      if (error instanceof RouteRejection) return { provider, outcome: 'rejected', reason: error.reason };
      // The caller aborted, so its own error is thrown.
      if (abort.abortedBy !== 'caller') this.options.onFailure?.(provider, error);
      return { provider, outcome: 'failed', reason: failureReason(error, abort) };
    } finally {
      abort.dispose();
    }
  }
}

function failureReason(error: unknown, { abortedBy }: ExchangeAbort): FailureReason {
  if (abortedBy !== null) return abortedBy === 'timeout' ? 'late' : 'unavailable';
  return error instanceof ProviderError ? error.kind : 'broken';
}

/** Sorts by value, best first. If the gas of one quote is unknown, gas is ignored for all quotes. */
function ranked(quoted: readonly Quoted[]): Quoted[] {
  const countsGas = quoted.every(({ gasCostAtomic }) => gasCostAtomic !== null);
  const net = ({ amountOutAtomic, gasCostAtomic }: Quoted) =>
    amountOutAtomic - (countsGas ? (gasCostAtomic ?? 0n) : 0n);
  // The sort is stable, so equal quotes keep their order.
  return [...quoted].sort(
    (a, b) =>
      compare(net(b), net(a)) ||
      compare(b.quote.minAmountOutAtomic, a.quote.minAmountOutAtomic) ||
      a.quote.estimatedSeconds - b.quote.estimatedSeconds,
  );
}

const compare = (a: bigint, b: bigint): number => (a === b ? 0 : a < b ? -1 : 1);

function answerOf(outcome: Outcome): ProviderAnswer {
  if (outcome.outcome !== 'quoted') return outcome;
  const { quote: _quote, ...answer } = outcome;
  return answer;
}

function failureOf(outcomes: readonly Outcome[]): RouteRejection | ProviderError {
  const reasons = outcomes.flatMap((one) => (one.outcome === 'rejected' ? [one.reason] : []));
  const rejection = rejectionOrder.find((reason) => reasons.includes(reason));
  if (rejection) return new RouteRejection(rejection);
  const failures = outcomes.flatMap((one) =>
    one.outcome === 'failed' ? [`${one.provider} ${one.reason}`] : [],
  );
  const message = `no provider answered: ${failures.join(', ')}`;
  return new ProviderError('swap-router', { kind: 'unavailable', message });
}
