// Settlements and their states. Pure.
import type { Authorization } from './authorization';

/**
 * `sent`: signed, with an unknown effect. `settled`: on the chain with the confirmations of FACILITATOR_CONFIRMATIONS.
 * `final`: with the chain's confirmations. `failed`: finally without effect.
 */
export const settlementStates = ['sent', 'settled', 'final', 'failed'] as const;
export type SettlementState = (typeof settlementStates)[number];

const transitions = {
  seen: { from: ['sent'], to: 'settled' },
  reorged: { from: ['settled'], to: 'sent' },
  finalised: { from: ['sent', 'settled'], to: 'final' },
  failed: { from: ['sent', 'settled'], to: 'failed' },
} as const satisfies Record<string, { from: readonly SettlementState[]; to: SettlementState }>;

export type SettlementEvent = keyof typeof transitions;

export const settlementTransition = (
  event: SettlementEvent,
): { from: readonly SettlementState[]; to: SettlementState } => transitions[event];

/** The call that settles a payment, built by the official package. On Solana, the token and the signed message. */
export interface SettlementCall {
  to: string;
  data: string;
}

export interface Settlement extends Omit<Authorization, 'paymentId'>, SettlementCall {
  id: string;
  network: string;
  state: SettlementState;
  /** The account that pays for gas, and its nonce; null on chains without such nonces. */
  sender: string;
  senderNonce: number | null;
  /** The hash of the newest transaction. After the settlement, the hash of the paying transaction. */
  txHash: string;
  reason: string | null;
  /** The head of the chain at the claim. An effect is in a later block. */
  sinceHeight: number;
  /** The call that was answered with success, if any. */
  answeredTo: string | null;
  createdAtMs: number;
}

/** A signed transaction of a settlement, which must be stored before it is sent. */
export interface SignedTransaction {
  hash: string;
  nonce: number | null;
  raw: string;
  /** In units of computation. */
  gasLimit: bigint;
  /** On Solana, the fee of the transaction in lamports. */
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
}

/** A stored transaction. `cancel` only uses the nonce of an expired settlement. */
export interface SettlementTransaction extends SignedTransaction {
  kind: 'settle' | 'cancel';
  createdAtMs: number;
}
