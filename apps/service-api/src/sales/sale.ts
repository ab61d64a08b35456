// Sales of operations, with their states and prices. Pure functions.
import type { ErrorCode } from '@tollbridge/rpc';
import { ceilDiv, formatUnits, parseUnits } from '@tollbridge/money';
import type { PurchaseStatus } from '@tollbridge/contracts';
import { getAddress } from 'ethers';

/**
 * - `claimed`: the payment belongs to this sale; the settlement is not known yet
 * - `rejected`: nothing was paid; the payment may be claimed again
 * - `settled`: paid; the purchase may be made
 * - `bought`: the provider has completed the purchase
 * - `refunding`, `refunded`: nothing was bought, or the provider cancelled the purchase
 * - `stuck`: the refund failed permanently; an operator must act
 */
export const saleStates = [
  'claimed',
  'rejected',
  'settled',
  'bought',
  'refunding',
  'refunded',
  'stuck',
] as const;
export type SaleState = (typeof saleStates)[number];

/** Kind of a sale without a purchase: the service sells its own response. */
export const responseKind = 'response';

/** Operation and kind of a sale without a claimed request. Its payment is refunded. */
export const unsoldOperation = 'none';

/** Identifies a payment permanently. */
export interface PaymentIdentity {
  scheme: 'exact' | 'ton-nanopay';
  /** CAIP-2. */
  network: string;
  /** Lower-case token address, mint of Solana; `ledger` for nano-payments. */
  asset: string;
  /** Lower-case EVM address, Solana address, or raw TON account. */
  payer: string;
  /** Lower-case hex; on Solana the hash of the signed message. */
  nonce: string;
}

/** The request that a payment pays for. */
export interface SoldRequest {
  /** Subject of the operation. */
  operation: string;
  inputHash: string;
  /** Hash of the offer. Only the buyer has the offer, while a payment is public once it is on a chain. */
  offerHash: string;
}

export interface SaleFailure {
  code: ErrorCode;
  message: string;
  details?: unknown;
}

/** A settlement of another call has paid the wallet. The chain does not show which request the payment was for. */
export const settledElsewhere: SaleFailure = {
  code: 'PURCHASE_REFUSED',
  message:
    'This payment was settled outside of this request. Nothing was bought, and it is refunded in full. Send a new payment to this address only.',
  details: { reason: 'SETTLED_ELSEWHERE' },
};

export interface Sale extends PaymentIdentity, SoldRequest {
  id: string;
  state: SaleState;
  purchaseKind: string;
  /** Smallest unit of the asset. */
  amountAtomic: bigint;
  /** The provider's part of the price. It is refunded when the provider cancels the purchase. */
  costAtomic: bigint;
  /** Decimal dollars: the maximum cost of the purchase. */
  costUsd: string;
  priceUsd: string;
  payment: StoredPayment;
  /** Number of settlements that were started. */
  settleTries: number;
  transaction: string | null;
  /** The reason of the rejection or refund. */
  failure: SaleFailure | null;
  refundAtomic: bigint | null;
  refund: RefundAuthorization | null;
  refundTransaction: string | null;
  checks: number;
  version: number;
  createdAtMs: number;
  settledAtMs: number | null;
  /** Until this time, only one process may settle the sale or execute its response. */
  leaseUntilMs: number | null;
}

/** The request to the facilitator. */
export interface StoredPayment {
  paymentPayload: Record<string, unknown>;
  paymentRequirements: Record<string, unknown>;
  /** On Solana, the last block height that it can be settled at. */
  lastHeight?: number;
}

/** An authorized transfer from the sales wallet. Stored before it is sent. */
export type RefundAuthorization = TokenRefund | SolanaRefund;

/** An EIP-3009 authorization, which is signed again for each attempt. */
export interface TokenRefund {
  nonce: string;
  /** Unix seconds. */
  validBefore: number;
}

export interface SolanaRefund {
  /** Signed by the sales wallet, base64. */
  transaction: string;
  feePayer: string;
  /** The last block height that the cluster accepts it at. */
  lastHeight: number;
}

/** Returns the wallet that the purchase is made for. */
export const walletOf = ({ payer }: Pick<Sale, 'payer'>): string =>
  payer.startsWith('0x') ? getAddress(payer) : payer;

/** Whether the network is Solana, where addresses are case-sensitive. */
export const isSolana = (network: string): boolean => network.startsWith('solana:');

/** Dollars are counted in millionths. */
export const usdDigits = 6;

export interface Price {
  costMicros: bigint;
  priceMicros: bigint;
}

/** @param costUsd decimal dollars of the provider */
export function priceOf(
  costUsd: string,
  { percent, minMicros }: { percent: number; minMicros: bigint },
): Price {
  const costMicros = parseUnits(costUsd, usdDigits);
  const margin = ceilDiv(costMicros * BigInt(percent), 100n);
  return { costMicros, priceMicros: costMicros + (margin > minMicros ? margin : minMicros) };
}

export const usdOf = (micros: bigint): string => formatUnits(micros, usdDigits);

/** Converts to the smallest unit of a stablecoin with at least 6 decimals. */
export const atomicOf = (micros: bigint, decimals: number): bigint =>
  micros * 10n ** BigInt(decimals - usdDigits);

// The time for a payer that lost the reply to repeat the call.
const abandonedAfterMs = 10 * 60_000;

/** Derives the outcome of a paid sale from the state of its purchase. */
export function verdictOn(
  purchase: PurchaseStatus | undefined,
  { settledAtMs, leaseUntilMs }: Pick<Sale, 'settledAtMs' | 'leaseUntilMs'>,
  nowMs: number,
): 'bought' | 'open' | 'not bought' | 'returned' {
  switch (purchase) {
    case undefined:
      if (leaseUntilMs !== null && leaseUntilMs > nowMs) return 'open';
      return nowMs < settledAtMs! + abandonedAfterMs ? 'open' : 'not bought';
    case 'refused':
      return 'not bought';
    case 'failed':
    case 'refunded':
      return 'returned';
    case 'completed':
      return 'bought';
    case 'buying':
    case 'unknown':
    case 'pending':
      return 'open';
  }
}

/** Returns the refund: without the margin when the provider cancelled, and in full when nothing was bought. */
export const refundOf = (
  verdict: 'not bought' | 'returned',
  { scheme, amountAtomic, costAtomic }: Pick<Sale, 'scheme' | 'amountAtomic' | 'costAtomic'>,
): bigint =>
  // The ledger refunds a nano-payment only in full, without gas.
  verdict === 'not bought' || scheme === 'ton-nanopay' ? amountAtomic : costAtomic;

export const refundPolicy = {
  'refund-policy': {
    info: {
      declined: 'full',
      settledElsewhere: 'full',
      returned: 'price without margin; nano-payments in full',
      abandoned: 'full, when nothing was bought 10 minutes after the payment',
      to: 'payer',
      automatic: true,
    },
  },
};
