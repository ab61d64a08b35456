// Parses the provider's replies. Every field is validated before it is used. Pure. Source: the OpenAPI types of its SDK
// 0.1.25 and its documentation.
import { type Fields, UnreadableReply, readAmount, readFields, readOptional } from '@tollbridge/http';
import { chains } from '@tollbridge/chains';
import { decimalText, isDecimalText } from '@tollbridge/money';
import type { RouteQuote, RouteState, RouteStatus } from '../cross-chain-routes';
import { readOptionalText, readSeconds, tableOf, readPlainText } from '../wire-fields';

/** Chain ids in the registry by the provider's names. The provider has no test networks. */
export const chainByBlockchain: ReadonlyMap<string, string> = new Map(
  chains.flatMap(({ id, oneClick }) => (oneClick ? [[oneClick.blockchain, id] as const] : [])),
);

/** The request of a quote. */
export interface WireQuoteRequest {
  dry: boolean;
  swapType: 'EXACT_OUTPUT';
  slippageTolerance: number;
  originAsset: string;
  depositType: 'ORIGIN_CHAIN';
  depositMode: 'SIMPLE' | 'MEMO';
  destinationAsset: string;
  amount: string;
  refundTo: string;
  refundType: 'ORIGIN_CHAIN';
  recipient: string;
  recipientType: 'DESTINATION_CHAIN';
  deadline: string;
  quoteWaitingTimeMs: number;
  appFees?: { recipient: string; fee: number }[];
}

export interface WireToken {
  assetId: string;
  decimals: number;
  blockchain: string;
  symbol: string;
  priceUsd: string;
  pricedAt: Date;
  contractAddress: string | null;
}

function readTime(value: unknown, path: string): Date {
  const text = readPlainText(value, path);
  // Date alone would parse "1" as a day in 2001.
  const time = new Date(/^\d{4}-\d{2}-\d{2}T/.test(text) ? text : NaN);
  if (Number.isNaN(time.getTime())) throw new UnreadableReply(`${path} is not a time`);
  return time;
}

function readUsd(value: unknown, path: string): string | null {
  const text = readOptionalText(value, path);
  return isDecimalText(text) ? text : null;
}

// The list has about two hundred rows. A million invalid rows would block the process for ten seconds.
const maxTokens = 5_000;

/** Parses the valid rows. Unknown kinds of rows are skipped. */
export function readTokens(reply: unknown): WireToken[] {
  if (!Array.isArray(reply)) throw new UnreadableReply('the token list is not an array');
  const tokens = reply.slice(0, maxTokens).flatMap((row) => readToken(row) ?? []);
  if (reply.length > 0 && tokens.length === 0) throw new UnreadableReply('the token list has no valid row');
  return tokens;
}

function readToken(row: unknown): WireToken | undefined {
  try {
    const fields = readFields(row, 'a token');
    const { decimals } = fields;
    const priceUsd = decimalText(fields['price']);
    if (!Number.isInteger(decimals) || (decimals as number) < 0 || (decimals as number) > 36)
      return undefined;
    if (priceUsd === undefined) return undefined;
    return {
      assetId: readPlainText(fields['assetId'], 'assetId'),
      decimals: decimals as number,
      blockchain: readPlainText(fields['blockchain'], 'blockchain'),
      symbol: readPlainText(fields['symbol'], 'symbol'),
      priceUsd,
      pricedAt: readTime(fields['priceUpdatedAt'], 'priceUpdatedAt'),
      contractAddress: readOptionalText(fields['contractAddress'], 'contractAddress'),
    };
  } catch {
    return undefined;
  }
}

export function readQuote(quote: Fields): RouteQuote {
  const amountInAtomic = readAmount(quote['amountIn'], 'amountIn');
  return {
    amountInAtomic,
    minAmountInAtomic: readOptional(quote['minAmountIn'], 'minAmountIn', readAmount) ?? amountInAtomic,
    amountOutAtomic: readAmount(quote['amountOut'], 'amountOut'),
    amountInUsd: readUsd(quote['amountInUsd'], 'amountInUsd'),
    amountOutUsd: readUsd(quote['amountOutUsd'], 'amountOutUsd'),
    estimatedSeconds: readSeconds(quote['timeEstimate'], 'timeEstimate'),
  };
}

export interface WireCommitment {
  quote: RouteQuote;
  address: string;
  memo: string | null;
  deadline: Date;
  inactiveAt: Date | null;
}

export function readCommitment(quote: Fields): WireCommitment {
  return {
    quote: readQuote(quote),
    address: readPlainText(quote['depositAddress'], 'depositAddress'),
    memo: readOptionalText(quote['depositMemo'], 'depositMemo'),
    deadline: readTime(quote['deadline'], 'deadline'),
    inactiveAt:
      readOptionalText(quote['timeWhenInactive'], 'timeWhenInactive') === null
        ? null
        : readTime(quote['timeWhenInactive'], 'timeWhenInactive'),
  };
}

const states = tableOf<RouteState>({
  PENDING_DEPOSIT: 'waiting',
  KNOWN_DEPOSIT_TX: 'seen',
  INCOMPLETE_DEPOSIT: 'incomplete',
  PROCESSING: 'processing',
  SUCCESS: 'delivered',
  REFUNDED: 'refunded',
  FAILED: 'failed',
});

/** Our texts for the provider's refund reasons. */
const refundReasons = tableOf({
  PARTIAL_DEPOSIT: 'less arrived than was needed',
  AMOUNT_LESS_THAN_MIN_AMOUNT_OUT: 'the rate moved too far',
  AMOUNT_LESS_THAN_MIN_WITHDRAWABLE: 'the amount is below what can be delivered',
  NO_LIQUIDITY: 'there was no liquidity',
  FEE_ESTIMATION_FAILED: 'the cost of the delivery could not be estimated',
  CIRCUIT_BREAKER_BLOCKED: 'the route was stopped',
});

export function readStatus(reply: unknown): RouteStatus {
  const fields = readFields(reply, 'the status');
  const details = readFields(fields['swapDetails'] ?? {}, 'swapDetails');
  // Unknown states are not final.
  const state = states.get(readPlainText(fields['status'], 'status')) ?? 'processing';
  const reason = readOptionalText(details['refundReason'], 'details.refundReason');
  return {
    state,
    depositTxs: readHashes(details['originChainTxHashes']),
    deliveryTxs: readHashes(details['destinationChainTxHashes']),
    depositedAtomic: readOptional(details['depositedAmount'], 'details.depositedAmount', readAmount),
    amountInAtomic: readOptional(details['amountIn'], 'details.amountIn', readAmount),
    amountOutAtomic: readOptional(details['amountOut'], 'details.amountOut', readAmount),
    refundedAtomic: readOptional(details['refundedAmount'], 'details.refundedAmount', readAmount),
    refundReason: reason && (refundReasons.get(reason) ?? 'the route could not be completed'),
    updatedAt:
      readOptionalText(fields['updatedAt'], 'updatedAt') === null
        ? null
        : readTime(fields['updatedAt'], 'updatedAt'),
  };
}

const maxHashes = 20;

function readHashes(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list
    .slice(0, maxHashes)
    .map((item) => readPlainText(readFields(item, 'a transaction')['hash'], 'hash'));
}
