import { ExchangeAbort, ProviderError, untilAborted, type ProviderErrorKind } from '@tollbridge/http';
import { RouteRefusal, type RefusalReason, type RouteToken } from './cross-chain-routes';
import { reasonOf } from './swap-reason';
import type { SwapQuote, SwapRequest, SwapRoutes } from './swap-routes';

/** What became of asking one provider. */
export type ProviderAnswer =
  | {
      provider: string;
      outcome: 'quoted';
      amountOutAtomic: bigint;
      /** In the wanted token; null where it is not known. */
      gasCostAtomic: bigint | null;
    }
  | { provider: string; outcome: 'refused'; reason: RefusalReason }
  | { provider: string; outcome: 'failed'; reason: FailureReason };

/** `late`: no answer in time. `broken`: an error of ours. */
export type FailureReason = ProviderErrorKind | 'late' | 'broken';

export interface RoutedSwap {
  /** Whose quote it is, and who builds it. */
  provider: string;
  quote: SwapQuote;
  /** Of all that were asked, in their order. */
  answers: readonly ProviderAnswer[];
  /** Why this one, for people. */
  reason: string;
}

export interface SwapRouterOptions {
  /** Asked together, and compared; of equal offers that of the earlier one is taken. */
  providers: readonly SwapRoutes[];
  /** Asked only for pairs that none of the others serves: those that may not be asked often. */
  lastResorts?: readonly SwapRoutes[];
  /** What so much gas on the chain of `from` costs, in the smallest unit of the wanted token; null where that is not known. */
  gasCostInOutput: (request: SwapRequest, gasUnits: bigint) => bigint | null;
  timeoutMs?: number;
  /** For the log: a failure shows in the answers by one word only. */
  onFailure?: (provider: string, error: unknown) => void;
}

type Quoted = Extract<ProviderAnswer, { outcome: 'quoted' }> & { quote: SwapQuote };
type Outcome = Quoted | Exclude<ProviderAnswer, { outcome: 'quoted' }>;

// What the user can do something about comes first.
const refusalOrder: readonly RefusalReason[] = [
  'belowMinimum',
  'noLiquidity',
  'priceMoved',
  'badRecipient',
  'badRefundAddress',
  'noRoute',
];
// Somebody waits for the price.
const defaultTimeoutMs = 5_000;

/** Asks all providers that serve a pair at once, and takes the best offer; one that is slow or fails costs nobody the others'. */
export class SwapRouter {
  private readonly byName: ReadonlyMap<string, SwapRoutes>;

  constructor(private readonly options: SwapRouterOptions) {
    const all = [...options.providers, ...(options.lastResorts ?? [])];
    this.byName = new Map(all.map((routes) => [routes.name, routes]));
    if (this.byName.size < all.length) throw new Error('two providers of swaps have the same name');
  }

  serves(from: RouteToken, to: RouteToken): boolean {
    return this.serving(from, to).length > 0;
  }

  /** Who quoted is who builds and knows what became of it; undefined for one that is turned off by now. */
  provider(name: string): SwapRoutes | undefined {
    return this.byName.get(name);
  }

  /**
   * The best offer after gas.
   * @throws RouteRefusal where somebody answered, and nobody offers it
   * @throws ProviderError `unavailable` where nobody answered
   */
  async quote(request: SwapRequest, signal?: AbortSignal): Promise<RoutedSwap> {
    const serving = this.serving(request.from, request.to);
    if (serving.length === 0) throw new RouteRefusal('noRoute');
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
      if (error instanceof RouteRefusal) return { provider, outcome: 'refused', reason: error.reason };
      // Whoever left is told so by himself.
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

/** The best first. Like is compared with like: where one's gas is not known, nobody's counts. */
function ranked(quoted: readonly Quoted[]): Quoted[] {
  const countsGas = quoted.every(({ gasCostAtomic }) => gasCostAtomic !== null);
  const net = ({ amountOutAtomic, gasCostAtomic }: Quoted) =>
    amountOutAtomic - (countsGas ? (gasCostAtomic ?? 0n) : 0n);
  // Sorting keeps the order of equals.
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

function failureOf(outcomes: readonly Outcome[]): RouteRefusal | ProviderError {
  const reasons = outcomes.flatMap((one) => (one.outcome === 'refused' ? [one.reason] : []));
  const refusal = refusalOrder.find((reason) => reasons.includes(reason));
  if (refusal) return new RouteRefusal(refusal);
  const said = outcomes.flatMap((one) => (one.outcome === 'failed' ? [`${one.provider} ${one.reason}`] : []));
  const message = `no provider answered: ${said.join(', ')}`;
  return new ProviderError('swap-router', { kind: 'unavailable', message });
}
