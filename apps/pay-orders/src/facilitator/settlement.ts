// Settlements and their states. Pure.
import type { Authorization } from './authorization';

/**
 * `sent`: signed, its effect is unknown. `settled`: the chain shows it, with the confirmations of
 * FACILITATOR_CONFIRMATIONS. `final`: with those of the chain. `failed`: it finally did not happen.
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

/** The call that settles a payment, as the official package builds it; on Solana the token and the signed message. */
export interface SettlementCall {
  to: string;
  data: string;
}

export interface Settlement extends Omit<Authorization, 'paymentId'>, SettlementCall {
  id: string;
  network: string;
  state: SettlementState;
  /** Account that pays for gas, and its nonce; null where the chain has none. */
  sender: string;
  senderNonce: number | null;
  /** Hash of the newest transaction; once settled, of the one that paid. */
  txHash: string;
  reason: string | null;
  /** Head of the chain when it was claimed: an effect is in a later block. */
  sinceHeight: number;
  /** The call that was answered with success, if any. */
  answeredTo: string | null;
  createdAtMs: number;
}

/** A signed transaction of a settlement, to be stored before it is sent. */
export interface SignedTransaction {
  hash: string;
  nonce: number | null;
  raw: string;
  /** Units of computation. */
  gasLimit: bigint;
  /** On Solana the fee of the transaction, in lamports. */
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
}

/** A stored transaction. `cancel` only uses the nonce of an expired settlement. */
export interface SettlementTransaction extends SignedTransaction {
  kind: 'settle' | 'cancel';
  createdAtMs: number;
}
