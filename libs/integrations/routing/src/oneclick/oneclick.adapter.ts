import { findChain } from '@tollbridge/chains';
import { ProviderClient, ProviderError, readReply, UnreadableReply, readFields } from '@tollbridge/http';
import {
  RouteRejection,
  type CommittedRoute,
  type CrossChainRoutes,
  type Deposit,
  type PricedToken,
  type RouteQuote,
  type RouteRequest,
  type RouteStatus,
} from '../cross-chain-routes';
import { AssetIds } from './asset-ids';
import { toRejection } from './oneclick.errors';
import { isSigned } from './oneclick.signature';
import {
  chainByBlockchain,
  readCommitment,
  readQuote,
  readStatus,
  readTokens,
  type WireQuoteRequest,
  type WireToken,
} from './oneclick.wire';

export interface OneClickOptions {
  baseUrl: string;
  apiKey?: string;
  /** The public key of the signatures of quotes: `ed25519:<base58>`. */
  publicKey: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

const provider = 'oneclick';
const quoteTimeoutMs = 5_000;
// A slow commitment is still valid, and an early time-out would lose a created deposit address.
const commitTimeoutMs = 12_000;
const readTimeoutMs = 10_000;
// A batch contains 50 quotes.
const maxPricesAtOnce = 64;
// Time for the provider to collect solver quotes. Most arrive within this time.
const waitForOffersMs = 1_000;

/** Client for 1Click of NEAR Intents. Stateless except for the cached token list. */
export class OneClick implements CrossChainRoutes {
  /** Client for price quotes. It has its own limits and circuit breaker, so that quotes do not delay orders. */
  private readonly prices: ProviderClient;
  /** Client for orders: deposit addresses and their status. */
  private readonly orders: ProviderClient;
  private readonly assetIds = new AssetIds(provider, () => this.readTokenList());

  constructor(private readonly options: OneClickOptions) {
    const { baseUrl, apiKey, fetch } = options;
    const shared = {
      provider,
      baseUrl,
      ...(apiKey && { headers: { 'x-api-key': apiKey } }),
      timeoutMs: readTimeoutMs,
      ...(fetch && { fetch }),
    };
    this.prices = new ProviderClient({ ...shared, maxConcurrent: maxPricesAtOnce });
    this.orders = new ProviderClient(shared);
  }

  async tokens(signal?: AbortSignal): Promise<PricedToken[]> {
    const tokens = await this.readTokenList(signal);
    return tokens.flatMap((token) => {
      const chain = chainByBlockchain.get(token.blockchain);
      const { symbol, decimals, priceUsd, pricedAt, contractAddress: address } = token;
      return chain ? [{ chain, address, symbol, decimals, priceUsd, pricedAt }] : [];
    });
  }

  async quote(request: RouteRequest, signal?: AbortSignal): Promise<RouteQuote> {
    const endMs = performance.now() + quoteTimeoutMs;
    const body = await this.requestOf(request, { dry: true, timeoutMs: quoteTimeoutMs, signal });
    const timeoutMs = Math.max(Math.round(endMs - performance.now()), 1);
    const reply = await this.askQuote(body, { timeoutMs, signal });
    return readReply(provider, () => {
      const quote = readQuote(readFields(reply['quote'], 'quote'));
      requireExact(quote, request);
      return quote;
    });
  }

  async commit(request: RouteRequest, signal?: AbortSignal): Promise<CommittedRoute> {
    const body = await this.requestOf(request, { dry: false, timeoutMs: readTimeoutMs, signal });
    const reply = await this.askQuote(body, { timeoutMs: commitTimeoutMs, signal });
    // An address has been created, but after an invalid reply it is never used.
    return readReply(
      provider,
      () => {
        requireEcho(reply, body);
        if (!isSigned(reply, this.options.publicKey))
          throw new UnreadableReply('the quote is not signed with the key of the provider');
        const { quote, address, memo, deadline, inactiveAt } = readCommitment(
          readFields(reply['quote'], 'quote'),
        );
        requireExact(quote, request);
        if (body.depositMode === 'MEMO' && memo === null) throw new UnreadableReply('the memo is missing');
        return { ...quote, deposit: { address, memo }, deadline, inactiveAt, signedQuote: reply };
      },
      'unknownOutcome',
    );
  }

  async submitDeposit({ address, memo }: Deposit, txHash: string, signal?: AbortSignal): Promise<void> {
    const body = { txHash, depositAddress: address, ...(memo !== null && { memo }) };
    await this.orders.request({ method: 'POST', path: '/v0/deposit/submit', body, signal });
  }

  async status({ address, memo }: Deposit, signal?: AbortSignal): Promise<RouteStatus | undefined> {
    const query = { depositAddress: address, depositMemo: memo ?? undefined };
    try {
      const reply = await this.orders.request({ method: 'GET', path: '/v0/status', query, signal });
      return readReply(provider, () => readStatus(reply));
    } catch (error) {
      if (error instanceof ProviderError && error.status === 404) return undefined;
      throw error;
    }
  }

  private async readTokenList(signal?: AbortSignal): Promise<WireToken[]> {
    const reply = await this.prices.request({ method: 'GET', path: '/v0/tokens', signal });
    return readReply(provider, () => readTokens(reply));
  }

  private async askQuote(
    body: WireQuoteRequest,
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
  ): Promise<Record<string, unknown>> {
    const changesSomething = !body.dry;
    try {
      const request = {
        method: 'POST',
        path: '/v0/quote',
        body,
        timeoutMs,
        signal,
        changesSomething,
      } as const;
      const reply = await (body.dry ? this.prices : this.orders).request(request);
      return readReply(
        provider,
        () => readFields(reply, 'the quote'),
        changesSomething ? 'unknownOutcome' : 'badReply',
      );
    } catch (error) {
      throw toRejection(error) ?? error;
    }
  }

  private async requestOf(
    request: RouteRequest,
    { dry, timeoutMs, signal }: { dry: boolean; timeoutMs: number; signal: AbortSignal | undefined },
  ): Promise<WireQuoteRequest> {
    const tokens = [request.from, request.to];
    const [originAsset, destinationAsset] = await this.assetIds.of(tokens, { timeoutMs, signal });
    if (!originAsset || !destinationAsset) throw new RouteRejection('noRoute');
    return {
      dry,
      swapType: 'EXACT_OUTPUT',
      slippageTolerance: request.slippageBps,
      originAsset,
      depositType: 'ORIGIN_CHAIN',
      depositMode: findChain(request.from.chain)?.oneClick?.depositMode ?? 'SIMPLE',
      destinationAsset,
      amount: String(request.amountOutAtomic),
      refundTo: request.refundTo,
      refundType: 'ORIGIN_CHAIN',
      recipient: request.recipient,
      recipientType: 'DESTINATION_CHAIN',
      deadline: request.deadline.toISOString(),
      quoteWaitingTimeMs: waitForOffersMs,
      ...(request.fee && { appFees: [{ recipient: request.fee.account, fee: request.fee.bps }] }),
    };
  }
}

/** Verifies that the quote delivers at least the merchant's amount, and costs something. */
function requireExact(quote: RouteQuote, { amountOutAtomic }: RouteRequest): void {
  if (quote.amountOutAtomic < amountOutAtomic)
    throw new UnreadableReply('amountOut is below the requested amount');
  if (quote.amountInAtomic === 0n) throw new UnreadableReply('amountIn is 0');
  if (quote.minAmountInAtomic > quote.amountInAtomic)
    throw new UnreadableReply('minAmountIn is above amountIn');
}

/** Verifies that the signed quote matches the request, because another recipient would receive the money. */
function requireEcho(reply: Record<string, unknown>, body: WireQuoteRequest): void {
  const echo = readFields(reply['quoteRequest'], 'quoteRequest');
  const names = [
    'dry',
    'swapType',
    'originAsset',
    'destinationAsset',
    'amount',
    'recipient',
    'recipientType',
    'refundTo',
    'refundType',
  ] as const;
  for (const name of names)
    if (echo[name] !== body[name]) throw new UnreadableReply(`quoteRequest.${name} differs from the request`);
}
