import { sampleAddress } from '@tollbridge/chains';
import { ProviderClient, readReply } from '@tollbridge/http';
import { RouteRejection, type RouteToken } from '../cross-chain-routes';
import { evmChainOf, wireAddress, wireChain, wireSlippage } from '../evm-wire';
import { checkedSwap, keepingPromise, promised, requireRecipient } from '../swap-answer';
import type {
  BuiltSwap,
  SwapBuildRequest,
  SwapQuote,
  SwapRequest,
  SwapRoutes,
  SwapStatus,
  SwapStatusQuery,
} from '../swap-routes';
import { orPending } from '../swap-status';
import { toRejection } from './across.errors';
import { readAnswer, readStatus } from './across.wire';

export interface AcrossOptions {
  baseUrl: string;
  apiKey?: string;
  /** `0x` and two bytes in hexadecimal. */
  integratorId?: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

const provider = 'across';
const quoteTimeoutMs = 5_000;
const readTimeoutMs = 10_000;
// A batch contains 50 builds.
const maxPricesAtOnce = 64;
// Gas without a simulation, rounded up. Across simulates only for users with balance and allowance. The values are for
// a bridge deposit with a message, and for one after an exchange with three hops.
const depositGasUnits = 150_000n;
const swapAndDepositGasUnits = 500_000n;

/** Client for the Across Swap API. Relayers fill intents on another chain, with swaps before and after. Stateless. */
export class Across implements SwapRoutes {
  readonly name = provider;
  /** Client for price quotes. It has its own circuit breaker, so that failing quotes do not block builds. */
  private readonly prices: ProviderClient;
  private readonly swaps: ProviderClient;

  constructor(private readonly options: AcrossOptions) {
    const { baseUrl, apiKey, fetch } = options;
    const shared = {
      provider,
      baseUrl,
      ...(apiKey && { headers: { authorization: `Bearer ${apiKey}` } }),
      timeoutMs: readTimeoutMs,
      ...(fetch && { fetch }),
    };
    this.prices = new ProviderClient({
      ...shared,
      timeoutMs: quoteTimeoutMs,
      maxConcurrent: maxPricesAtOnce,
    });
    this.swaps = new ProviderClient(shared);
  }

  serves(from: RouteToken, to: RouteToken): boolean {
    const [origin, destination] = [evmChainOf(from), evmChainOf(to)];
    if (!origin || !destination || origin.id === destination.id) return false;
    if (origin.isTestnet !== destination.isTestnet) return false;
    return origin.isServedByAcross && destination.isServedByAcross;
  }

  async quote(request: SwapRequest, signal?: AbortSignal): Promise<SwapQuote> {
    const { slippageBps, sender } = request;
    const query = {
      ...this.queryOf(request, slippageBps),
      ...(sender === null && withoutUser(request.from)),
    };
    const { quote } = await this.ask(this.prices, request, { query, signal });
    return promised(quote, slippageBps);
  }

  async build(request: SwapBuildRequest, signal?: AbortSignal): Promise<BuiltSwap> {
    const { sender, recipient } = request;
    const isForOther = recipient.toLowerCase() !== sender.toLowerCase();
    return keepingPromise(request, (slippageBps) => {
      const query = { ...this.queryOf(request, slippageBps), ...(isForOther && { recipient }) };
      return this.ask(this.swaps, request, { query, signal });
    });
  }

  async status(query: SwapStatusQuery, signal?: AbortSignal): Promise<SwapStatus> {
    const request = { method: 'GET', path: '/deposit/status', signal } as const;
    const asked = this.swaps.request({ ...request, query: { depositTxnRef: query.txHash } });
    return orPending(asked.then((reply) => readReply(provider, () => readStatus(reply, query))));
  }

  private queryOf(request: SwapRequest, slippageBps: number) {
    const { from, to, amountInAtomic, sender } = request;
    const { integratorId } = this.options;
    return {
      tradeType: 'exactInput',
      amount: String(amountInAtomic),
      inputToken: wireAddress(from),
      outputToken: wireAddress(to),
      originChainId: wireChain(from),
      destinationChainId: wireChain(to),
      slippage: wireSlippage(slippageBps),
      ...(sender !== null && { depositor: sender }),
      ...(integratorId && { integratorId }),
    };
  }

  private async ask(
    client: ProviderClient,
    request: SwapRequest,
    { query, signal }: { query: Record<string, string>; signal: AbortSignal | undefined },
  ): Promise<BuiltSwap> {
    if (!this.serves(request.from, request.to)) throw new RouteRejection('noRoute');
    try {
      const reply = await client.request({ method: 'GET', path: '/swap/approval', query, signal });
      return readReply(provider, () => {
        const answer = readAnswer(reply);
        // Without a recipient, the depositor is the recipient.
        requireRecipient(answer, (query['recipient'] ?? query['depositor'])!);
        const hasSwap = answer.steps.some(({ type }) => type === 'originSwap');
        return checkedSwap(answer, request, hasSwap ? swapAndDepositGasUnits : depositGasUnits);
      });
    } catch (error) {
      throw toRejection(error) ?? error;
    }
  }
}

/**
 * Parameters for a request without a user. The signer may not have the tokens yet, so Across skips balance checks and
 * simulation.
 */
function withoutUser(from: RouteToken) {
  const chain = evmChainOf(from);
  return {
    ...(chain && { depositor: sampleAddress(chain) }),
    skipOriginTxEstimation: 'true',
    skipChecks: 'true',
  };
}
