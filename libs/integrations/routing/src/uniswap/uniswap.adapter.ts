import { type EvmChain, type UniswapV3Contracts } from '@tollbridge/chains';
import { RpcError, type EvmReads } from '@tollbridge/evm';
import { ProviderError, untilAborted } from '@tollbridge/http';
import { getAddress, isAddress } from 'ethers';
import { RouteRejection, type RouteToken } from '../cross-chain-routes';
import type {
  BuiltSwap,
  SwapBuildRequest,
  SwapQuote,
  SwapRequest,
  SwapRoutes,
  SwapStatus,
  SwapStatusQuery,
} from '../swap-routes';
import { swapCall, wrapCall } from './uniswap.calldata';
import { pairsBetween, pathsThrough, poolFeeAtomic, type SwapPath } from './uniswap.paths';
import { UniswapPools } from './uniswap.pools';
import { bestOf, priceImpactBps, quotePaths } from './uniswap.quotes';

export interface UniswapChain {
  chain: Pick<EvmChain, 'id' | 'tokens' | 'blockTimeMs'>;
  reads: EvmReads;
  /** `uniswapOn(chain)`. */
  contracts: UniswapV3Contracts;
}

export interface UniswapOptions {
  chains: readonly UniswapChain[];
  nowMs?: () => number;
}

interface Venue extends UniswapChain {
  pools: UniswapPools;
}

/** A quote and its pools. The path is null for wrapping and unwrapping, which need no pools. */
interface Way {
  quote: SwapQuote;
  path: SwapPath | null;
}

const provider = 'uniswap';
const swapVenue = 'uniswap-v3';
const wrapVenue = 'wrapped-coin';
/** Tokens that nearly every token is paired with, besides the wrapped coin. */
const middleSymbols = new Set(['USDC', 'USDT', 'DAI']);
const wholeBps = 10_000n;
// Gas of a swap in addition to the quoter's estimate for its pools: per swap, per pool, and for each end that is the
// coin. Measured with the genuine contracts and Circle's token.
const swapGasUnits = 60_000n;
const hopGasUnits = 15_000n;
const coinGasUnits = 25_000n;
const wrapGasUnits = 60_000n;
const wrapForOtherGasUnits = 120_000n;
// A transaction is included in the next block or the one after it.
const blocksToDelivery = 2;
// SwapRouter02 interprets 1 as the sender and 2 as itself. 0 is the burn address.
const lowestRecipient = 3n;

/** Uniswap V3 on the chains of this deployment. Its quoter finds the best of the direct and two-hop paths. */
export class Uniswap implements SwapRoutes {
  readonly name = provider;
  private readonly venues: ReadonlyMap<string, Venue>;

  constructor({ chains, nowMs = () => performance.now() }: UniswapOptions) {
    this.venues = new Map(
      chains.map((it) => [
        it.chain.id,
        { ...it, pools: new UniswapPools(it.reads, it.contracts.factory, nowMs) },
      ]),
    );
  }

  serves(from: RouteToken, to: RouteToken): boolean {
    const areTokens = [from, to].every(({ address }) => address === null || isAddress(address));
    const isSame = from.address?.toLowerCase() === to.address?.toLowerCase();
    return from.chain === to.chain && this.venues.has(from.chain) && areTokens && !isSame;
  }

  async quote(request: SwapRequest, signal?: AbortSignal): Promise<SwapQuote> {
    const { quote } = await this.answered(this.find(request), signal);
    return quote;
  }

  async build(request: SwapBuildRequest, signal?: AbortSignal): Promise<BuiltSwap> {
    const { recipient, minAmountOutAtomic } = request;
    if (!isAddress(recipient) || BigInt(recipient) < lowestRecipient)
      throw new RouteRejection('badRecipient');
    const { quote, path } = await this.answered(this.find(request), signal);
    if (quote.amountOutAtomic < minAmountOutAtomic) throw new RouteRejection('priceMoved');
    const { contracts } = this.venueOf(request);
    const minOutAtomic = larger(minAmountOutAtomic, quote.minAmountOutAtomic);
    const { spender, ...call } = path
      ? swapCall(contracts, request, { path, minOutAtomic })
      : wrapCall(contracts, request);
    const isWrapForOther = path === null && call.to === contracts.router;
    const gasUnits = isWrapForOther ? wrapForOtherGasUnits : quote.gasUnits;
    return {
      spender,
      transaction: { ...call, gasUnits },
      quote: { ...quote, gasUnits, minAmountOutAtomic: minOutAtomic },
      validUntil: null,
    };
  }

  /** The swap transaction is also the delivery, because both succeed or fail together. */
  status({ txHash }: SwapStatusQuery): Promise<SwapStatus> {
    return Promise.resolve({ state: 'delivered', deliveryTxHash: txHash, refundTxHash: null, reason: null });
  }

  private async find(request: SwapRequest): Promise<Way> {
    const venue = this.venueOf(request);
    const [from, to] = [request.from, request.to].map(({ address }) =>
      getAddress(address ?? venue.contracts.wrappedCoin),
    ) as [string, string];
    if (from === to) return { quote: wrapQuote(request, venue), path: null };
    return this.bestWay(request, venue, [from, to]);
  }

  private async bestWay(request: SwapRequest, venue: Venue, [from, to]: [string, string]): Promise<Way> {
    const { reads, pools, contracts } = venue;
    const { amountInAtomic } = request;
    const between = middlesOf(venue).filter((token) => token !== from && token !== to);
    const paths = pathsThrough(await pools.of(pairsBetween(from, to, between)), [from, to], between);
    if (paths.length === 0) throw new RouteRejection('noRoute');
    const best = bestOf(await quotePaths(reads, contracts.quoter, { paths, amountInAtomic }));
    if (!best) throw new RouteRejection('noLiquidity');
    const minAmountOutAtomic = (best.amountOutAtomic * (wholeBps - BigInt(request.slippageBps))) / wholeBps;
    // The amount is too small for a minimum above 0.
    if (minAmountOutAtomic === 0n) throw new RouteRejection('belowMinimum');
    const impactBps = await priceImpactBps(reads, contracts.quoter, { ...best, amountInAtomic });
    const { path, amountOutAtomic } = best;
    const hops = BigInt(path.feesPips.length);
    const coins = BigInt([request.from, request.to].filter(({ address }) => address === null).length);
    const quote = {
      ...quoteOf(request, venue, { name: swapVenue, amountOutAtomic }),
      fees: [
        {
          name: 'Pool fee',
          token: request.from,
          isIncluded: true,
          amountAtomic: poolFeeAtomic(path, amountInAtomic),
        },
      ],
      gasUnits: best.poolGasUnits + swapGasUnits + hops * hopGasUnits + coins * coinGasUnits,
      minAmountOutAtomic,
      priceImpactBps: impactBps,
    };
    return { quote, path };
  }

  private venueOf({ from, to }: SwapRequest): Venue {
    const venue = this.venues.get(from.chain);
    if (!venue || !this.serves(from, to)) throw new RouteRejection('noRoute');
    return venue;
  }

  /** Maps node failures to provider errors. */
  private async answered<T>(asked: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await untilAborted(asked, signal);
    } catch (error) {
      if (error instanceof RpcError) {
        const { retryAfterMs } = error;
        // A node that rejects the call gives no information about the swap.
        const kind = error.kind === 'rejected' ? 'unavailable' : error.kind;
        throw new ProviderError(provider, {
          kind,
          message: 'the chain could not be read',
          cause: error,
          ...(retryAfterMs !== undefined && { retryAfterMs }),
        });
      }
      if (!(error instanceof RouteRejection) && signal?.aborted)
        throw new ProviderError(provider, {
          kind: 'unavailable',
          message: 'the quote did not arrive in time',
        });
      throw error;
    }
  }
}

function middlesOf({ chain, contracts }: Venue): string[] {
  const stable = chain.tokens.filter(({ symbol, address }) => address !== null && middleSymbols.has(symbol));
  return [
    ...new Set([contracts.wrappedCoin, ...stable.map(({ address }) => address!)].map((it) => getAddress(it))),
  ];
}

function wrapQuote(request: SwapRequest, venue: Venue): SwapQuote {
  return quoteOf(request, venue, { name: wrapVenue, amountOutAtomic: request.amountInAtomic });
}

/** Returns a quote of 1:1 without fees by default. */
function quoteOf(
  { from, to, amountInAtomic }: SwapRequest,
  { chain }: Venue,
  { name, amountOutAtomic }: { name: string; amountOutAtomic: bigint },
): SwapQuote {
  const step = { venue: name, tokenIn: from, tokenOut: to, amountInAtomic, amountOutAtomic };
  return {
    amountOutAtomic,
    minAmountOutAtomic: amountOutAtomic,
    steps: [{ type: 'originSwap', ...step }],
    fees: [],
    gasUnits: wrapGasUnits,
    estimatedSeconds: Math.ceil((blocksToDelivery * chain.blockTimeMs) / 1_000),
    priceImpactBps: 0,
    expiresAt: null,
  };
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
