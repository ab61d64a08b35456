// The provider's shapes, validated field by field: no unvalidated part of a reply is used. Pure.
// Source: the OpenAPI types of its SDK 0.1.25 and its documentation.
import { chains } from '@tollbridge/chains';
import { decimalText, isDecimalText } from '@tollbridge/money';
import type { RouteQuote, RouteState, RouteStatus } from '../cross-chain-routes';
import {
  amountOf,
  fieldsOf,
  optionalAmount,
  optionalText,
  secondsOf,
  tableOf,
  textOf,
  UnreadableReply,
  type Fields,
} from '../wire-fields';

/** Our chain ids by the provider's names; it has no test networks. */
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

function timeOf(fields: Fields, name: string): Date {
  const text = textOf(fields, name);
  // Date parses "1" as a day in 2001.
  const time = new Date(/^\d{4}-\d{2}-\d{2}T/.test(text) ? text : NaN);
  if (Number.isNaN(time.getTime())) throw new UnreadableReply(`${name} is no time`);
  return time;
}

function usdOf(fields: Fields, name: string): string | null {
  const value = optionalText(fields, name);
  return isDecimalText(value) ? value : null;
}

// The list has some two hundred rows. A million invalid rows would block the process for ten seconds.
const maxTokens = 5_000;

/** Parses the valid rows; unknown kinds of rows are skipped. */
export function readTokens(reply: unknown): WireToken[] {
  if (!Array.isArray(reply)) throw new UnreadableReply('the token list is no list');
  const tokens = reply.slice(0, maxTokens).flatMap((row) => readToken(row) ?? []);
  if (reply.length > 0 && tokens.length === 0)
    throw new UnreadableReply('no row of the token list is readable');
  return tokens;
}

function readToken(row: unknown): WireToken | undefined {
  try {
    const fields = fieldsOf(row, 'a token');
    const { decimals } = fields;
    const priceUsd = decimalText(fields['price']);
    if (!Number.isInteger(decimals) || (decimals as number) < 0 || (decimals as number) > 36)
      return undefined;
    if (priceUsd === undefined) return undefined;
    return {
      assetId: textOf(fields, 'assetId'),
      decimals: decimals as number,
      blockchain: textOf(fields, 'blockchain'),
      symbol: textOf(fields, 'symbol'),
      priceUsd,
      pricedAt: timeOf(fields, 'priceUpdatedAt'),
      contractAddress: optionalText(fields, 'contractAddress'),
    };
  } catch {
    return undefined;
  }
}

export function readQuote(quote: Fields): RouteQuote {
  const amountInAtomic = amountOf(quote, 'amountIn');
  return {
    amountInAtomic,
    minAmountInAtomic: optionalAmount(quote, 'minAmountIn') ?? amountInAtomic,
    amountOutAtomic: amountOf(quote, 'amountOut'),
    amountInUsd: usdOf(quote, 'amountInUsd'),
    amountOutUsd: usdOf(quote, 'amountOutUsd'),
    estimatedSeconds: secondsOf(quote, 'timeEstimate'),
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
    address: textOf(quote, 'depositAddress'),
    memo: optionalText(quote, 'depositMemo'),
    deadline: timeOf(quote, 'deadline'),
    inactiveAt: optionalText(quote, 'timeWhenInactive') === null ? null : timeOf(quote, 'timeWhenInactive'),
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

/** Maps the provider's refund reasons to our texts; unknown reasons are shown as they are. */
const refundReasons = tableOf({
  PARTIAL_DEPOSIT: 'less arrived than was needed',
  AMOUNT_LESS_THAN_MIN_AMOUNT_OUT: 'the rate moved too far',
  AMOUNT_LESS_THAN_MIN_WITHDRAWABLE: 'the amount is below what can be delivered',
  NO_LIQUIDITY: 'there was no liquidity',
  FEE_ESTIMATION_FAILED: 'the cost of the delivery could not be estimated',
  CIRCUIT_BREAKER_BLOCKED: 'the route was stopped',
});

export function readStatus(reply: unknown): RouteStatus {
  const fields = fieldsOf(reply, 'the status');
  const details = fieldsOf(fields['swapDetails'] ?? {}, 'swapDetails');
  // Unknown states are not final.
  const state = states.get(textOf(fields, 'status')) ?? 'processing';
  const reason = optionalText(details, 'refundReason');
  return {
    state,
    depositTxs: readHashes(details['originChainTxHashes']),
    deliveryTxs: readHashes(details['destinationChainTxHashes']),
    depositedAtomic: optionalAmount(details, 'depositedAmount'),
    amountInAtomic: optionalAmount(details, 'amountIn'),
    amountOutAtomic: optionalAmount(details, 'amountOut'),
    refundedAtomic: optionalAmount(details, 'refundedAmount'),
    refundReason: reason && (refundReasons.get(reason) ?? 'the route could not be completed'),
    updatedAt: optionalText(fields, 'updatedAt') === null ? null : timeOf(fields, 'updatedAt'),
  };
}

const maxHashes = 20;

function readHashes(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, maxHashes).map((item) => textOf(fieldsOf(item, 'a transaction'), 'hash'));
}
