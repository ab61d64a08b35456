import { sampleAddress, tokenKey } from '@tollbridge/chains';
import { ProviderClient, readReply, UnreadableReply } from '@tollbridge/http';
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
import { toRejection } from './lifi.errors';
import { readAnswer, readStatus, type LiFiAnswer } from './lifi.wire';

export interface LiFiOptions {
  baseUrl: string;
  apiKey?: string;
  integrator?: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The accounts of a swap. */
interface Parties {
  sender: string;
  recipient: string;
}

type Query = Record<string, string> & { fromAddress: string; toAddress: string };

const provider = 'lifi';
const quoteTimeoutMs = 5_000;
const readTimeoutMs = 10_000;
// Default gas, rounded up, for an exchange and a bridge behind LI.FI's contract.
const typicalGasUnits = 500_000n;

/** Client for LI.FI, which combines exchanges and bridges of EVM chains behind one contract. Stateless. */
export class LiFi implements SwapRoutes {
  readonly name = provider;
  /** Client for price quotes. It has its own circuit breaker, so that failing quotes do not block builds. */
  private readonly prices: ProviderClient;
  private readonly swaps: ProviderClient;

  constructor(private readonly options: LiFiOptions) {
    const { baseUrl, apiKey, fetch } = options;
    const shared = {
      provider,
      baseUrl,
      ...(apiKey && { headers: { 'x-lifi-api-key': apiKey } }),
      timeoutMs: readTimeoutMs,
      ...(fetch && { fetch }),
    };
    this.prices = new ProviderClient({ ...shared, timeoutMs: quoteTimeoutMs });
    this.swaps = new ProviderClient(shared);
  }

  /** Only production EVM chains, because LI.FI has no test network. */
  serves(from: RouteToken, to: RouteToken): boolean {
    const isOther = tokenKey(from.chain, from.address) !== tokenKey(to.chain, to.address);
    return isOther && [from, to].every((token) => evmChainOf(token)?.isTestnet === false);
  }

  async quote(request: SwapRequest, signal?: AbortSignal): Promise<SwapQuote> {
    const { slippageBps, sender } = request;
    const chain = evmChainOf(request.from);
    if (!chain) throw new RouteRejection('noRoute');
    const user = sender ?? sampleAddress(chain);
    const query = {
      ...this.queryOf(request, { parties: { sender: user, recipient: user }, slippageBps }),
      // Skips the simulation, because the signer may not have the tokens yet.
      ...(sender === null && { skipSimulation: 'true' }),
    };
    const { quote } = await this.ask(this.prices, request, { query, signal });
    return promised(quote, slippageBps);
  }

  async build(request: SwapBuildRequest, signal?: AbortSignal): Promise<BuiltSwap> {
    return keepingPromise(request, (slippageBps) => {
      const query = this.queryOf(request, { parties: request, slippageBps });
      return this.ask(this.swaps, request, { query, signal });
    });
  }

  async status(query: SwapStatusQuery, signal?: AbortSignal): Promise<SwapStatus> {
    const { txHash, from, to } = query;
    const asked = { txHash, fromChain: wireChain(from), toChain: wireChain(to) };
    const reply = this.swaps.request({ method: 'GET', path: '/status', query: asked, signal });
    return orPending(reply.then((it) => readReply(provider, () => readStatus(it, query))));
  }

  private queryOf(
    { from, to, amountInAtomic }: SwapRequest,
    { parties, slippageBps }: { parties: Parties; slippageBps: number },
  ) {
    const { integrator } = this.options;
    return {
      fromChain: wireChain(from),
      toChain: wireChain(to),
      fromToken: wireAddress(from),
      toToken: wireAddress(to),
      fromAmount: String(amountInAtomic),
      fromAddress: parties.sender,
      toAddress: parties.recipient,
      slippage: wireSlippage(slippageBps),
      ...(integrator && { integrator }),
    };
  }

  private async ask(
    client: ProviderClient,
    request: SwapRequest,
    { query, signal }: { query: Query; signal: AbortSignal | undefined },
  ): Promise<BuiltSwap> {
    if (!this.serves(request.from, request.to)) throw new RouteRejection('noRoute');
    try {
      const reply = await client.request({ method: 'GET', path: '/quote', query, signal });
      const answer = readReply(provider, () => readAnswer(reply));
      // Rejects a fee in native coins in addition to the quoted token, because the user agreed to one amount of one
      // token.
      if (answer.fees.some(({ isIncluded }) => !isIncluded)) throw new RouteRejection('noRoute');
      return readReply(provider, () => {
        requireParties(answer, { sender: query.fromAddress, recipient: query.toAddress });
        requireRecipient(answer, query.toAddress);
        return checkedSwap(answer, request, typicalGasUnits);
      });
    } catch (error) {
      throw toRejection(error) ?? error;
    }
  }
}

function requireParties(answer: LiFiAnswer, { sender, recipient }: Parties): void {
  if (answer.sender.toLowerCase() !== sender.toLowerCase())
    throw new UnreadableReply('the reply names another sender');
  if (answer.recipient.toLowerCase() !== recipient.toLowerCase())
    throw new UnreadableReply('the reply names another recipient');
}
