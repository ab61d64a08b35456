import { randomUUID } from 'node:crypto';
import { canonicalAddress } from '@tollbridge/chains';
import type { Clock } from '@tollbridge/database';
import type { Price } from '../prices/price-table';
import type { PricesRepository } from '../prices/prices.repository';
import type { Asset, Assets } from './assets';
import { costsOf, largestUsd, secondsBetween } from './bridge-costs';
import { generateAddress, needsMemo, newDepositKey, newMemo, sharedAddress } from './deposit-address';
import type { EvmNode } from './evm-node';
import { outcomeOf, quoteRejections, type Outcome } from './magic-amounts';
import {
  amountWorth,
  isWorthMore,
  quotedAmounts,
  written,
  type QuotedAmounts,
  type SwapTerms,
} from './quote-maths';
import type { QuoteSigner } from './quote-signature';
import { termsAt } from './swap';
import type { SwapsRepository } from './swaps.repository';
import type { Quote, QuoteRequest, QuoteResponse } from './wire';

/** An error in the provider's format. */
export class QuoteRejection extends Error {
  constructor(
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

export interface QuoteParts {
  assets: Assets;
  prices: PricesRepository;
  swaps: SwapsRepository;
  signer: QuoteSigner;
  nodes: ReadonlyMap<string, EvmNode>;
  clock: Clock;
}

interface Deposit {
  address: string;
  memo: string;
  key: string | null;
}

// The watcher polls for late deposits for one day, and refunds them.
const lateMs = 24 * 60 * 60 * 1_000;

/** Quotes swaps, and stores committed quotes. */
export class Quotes {
  constructor(private readonly parts: QuoteParts) {}

  async create(request: QuoteRequest): Promise<{ response: QuoteResponse; outcome: Outcome }> {
    const { assets, prices, clock } = this.parts;
    const nowMs = clock.now();
    const { origin, destination } = requirePair(request, assets);
    requireSupported(request, origin, nowMs);
    const outcome = outcomeOf(request.amount);
    const rejection = quoteRejections[outcome];
    if (rejection) throw new QuoteRejection(rejection.message, rejection.status);
    const table = await prices.all();
    const usdOf = (symbol: string) => (table.get(symbol) as Price).usd;
    const terms = termsAt(request, origin, destination, usdOf);
    const amounts = this.amountsOf(request, origin, destination, terms);
    const quote = quoteOf(amounts, origin, destination, terms);
    const response = {
      correlationId: randomUUID(),
      timestamp: new Date(nowMs).toISOString(),
      quoteRequest: request,
    };
    if (request.dry) return { response: this.parts.signer.sign({ ...response, quote }), outcome };
    const isCold = outcome === 'coldAddress';
    const deposit = depositFor(request, origin, this.parts.nodes.has(origin.chain.id));
    const committed: Quote = {
      ...quote,
      depositAddress: deposit.address,
      ...(deposit.memo && { depositMemo: deposit.memo }),
      deadline: request.deadline,
      timeWhenInactive: isCold ? response.timestamp : request.deadline,
    };
    const signed = this.parts.signer.sign({ ...response, quote: committed });
    await this.store(signed, { origin, destination, deposit, outcome, nowMs });
    return { response: signed, outcome };
  }

  private amountsOf(
    request: QuoteRequest,
    origin: Asset,
    destination: Asset,
    terms: SwapTerms,
  ): QuotedAmounts {
    const { swapType, slippageTolerance } = request;
    const amount = BigInt(request.amount);
    const named = swapType === 'EXACT_OUTPUT' ? terms.to : terms.from;
    const least = [origin, destination]
      .map(({ chain }) => amountWorth(costsOf(chain).minimumUsd, named))
      .reduce((left, right) => (left > right ? left : right));
    if (amount < least) throw new QuoteRejection(`Amount is too low for bridge, try at least ${least}`);
    if (isWorthMore(amount, named, largestUsd)) throw new QuoteRejection('Failed to get quote');
    const amounts = quotedAmounts(swapType, amount, slippageTolerance, terms);
    if (amounts.minAmountOutAtomic === 0n || amounts.minAmountInAtomic === 0n)
      throw new QuoteRejection('Failed to get quote');
    return amounts;
  }

  private async store(
    response: QuoteResponse,
    {
      origin,
      destination,
      deposit,
      outcome,
      nowMs,
    }: { origin: Asset; destination: Asset; deposit: Deposit; outcome: Outcome; nowMs: number },
  ): Promise<void> {
    const { swaps, nodes } = this.parts;
    const node = nodes.get(origin.chain.id);
    const deadlineMs = Date.parse(response.quoteRequest.deadline);
    await swaps.insert({
      depositAddress: deposit.address,
      depositMemo: deposit.memo,
      depositKey: deposit.key,
      originChain: origin.chain.id,
      originSymbol: origin.symbol,
      destinationChain: destination.chain.id,
      destinationSymbol: destination.symbol,
      response,
      outcome,
      deadlineMs,
      watchedUntilMs: deadlineMs + lateMs,
      fromHeight: node ? (await node.head()).height : 0,
      createdAtMs: nowMs,
    });
  }
}

function requirePair(request: QuoteRequest, assets: Assets): { origin: Asset; destination: Asset } {
  const origin = assets.find(request.originAsset);
  if (!origin) throw new QuoteRejection('tokenIn is not valid');
  const destination = assets.find(request.destinationAsset);
  if (!destination) throw new QuoteRejection('tokenOut is not valid');
  if (!canonicalAddress(destination.chain, request.recipient).ok)
    throw new QuoteRejection('recipient is not valid');
  if (!canonicalAddress(origin.chain, request.refundTo).ok) throw new QuoteRejection('refundTo is not valid');
  if (origin === destination) throw new QuoteRejection('Quoting for this pair is not available');
  return { origin, destination };
}

function requireSupported(request: QuoteRequest, origin: Asset, nowMs: number): void {
  const { swapType, depositType, refundType, recipientType, depositMode, deadline } = request;
  if (swapType === 'ANY_INPUT') throw new QuoteRejection('swapType ANY_INPUT is not available');
  // The sandbox does not simulate balances inside the provider's ledger.
  if (depositType !== 'ORIGIN_CHAIN') throw new QuoteRejection(`depositType ${depositType} is not available`);
  if (refundType !== 'ORIGIN_CHAIN') throw new QuoteRejection(`refundType ${refundType} is not available`);
  if (recipientType !== 'DESTINATION_CHAIN')
    throw new QuoteRejection(`recipientType ${recipientType} is not available`);
  if (Date.parse(deadline) <= nowMs) throw new QuoteRejection('deadline must be in the future');
  const { chain } = origin;
  if (depositMode === 'MEMO' && !chain.usesMemo)
    throw new QuoteRejection(`depositMode MEMO is not supported for ${origin.blockchain}`);
  if (depositMode !== 'MEMO' && needsMemo(chain))
    throw new QuoteRejection(`depositMode must be MEMO for ${origin.blockchain}`);
}

function quoteOf(amounts: QuotedAmounts, origin: Asset, destination: Asset, terms: SwapTerms): Quote {
  const amountIn = written(amounts.amountInAtomic, terms.from);
  const amountOut = written(amounts.amountOutAtomic, terms.to);
  return {
    amountIn: amountIn.atomic,
    amountInFormatted: amountIn.formatted,
    amountInUsd: amountIn.usd,
    minAmountIn: String(amounts.minAmountInAtomic),
    amountOut: amountOut.atomic,
    amountOutFormatted: amountOut.formatted,
    amountOutUsd: amountOut.usd,
    minAmountOut: String(amounts.minAmountOutAtomic),
    timeEstimate: secondsBetween(origin.chain, destination.chain),
    refundFee: String(amountWorth(costsOf(origin.chain).refundUsd, terms.from)),
    withdrawFee: String(terms.withdrawFeeAtomic),
  };
}

function depositFor(request: QuoteRequest, { chain }: Asset, hasNode: boolean): Deposit {
  if (hasNode) {
    const { address, privateKey } = newDepositKey();
    return { address, memo: '', key: privateKey };
  }
  if (request.depositMode === 'MEMO') return { address: sharedAddress(chain), memo: newMemo(), key: null };
  return { address: generateAddress(chain), memo: '', key: null };
}
