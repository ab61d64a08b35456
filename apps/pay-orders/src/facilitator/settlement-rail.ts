import type { FacilitatedKind, FacilitatedPaymentRequest, FacilitatorSigner } from '@tollbridge/contracts';
import type { Authorization } from './authorization';
import type { Json } from './field-forms';
import type { Settlement } from './settlement';
import type { Claimed, ClaimedNow } from './settlements.repository';

/** The reason that a payment is not settled. */
export interface Rejection {
  reason: string;
  message?: string;
}

/** The result for a valid payment. */
export interface Verified {
  /** Fields of the scheme for the seller. */
  extra?: Json;
}

/** Fields that the reply of a success contains in addition to the settlement. */
export interface SettlementDetails {
  amount?: string;
  payer?: string;
  extra?: Json;
}

/**
 * Which calls get the success of a settlement:
 * - `one call`: it pays one request
 * - `equal calls`: it pays none, and a failed one may be repeated
 * - `none`: nothing is settled, and the payment is only verified
 */
export type Answered = 'one call' | 'equal calls' | 'none';

/** A payment that this deployment may settle, if it is valid. */
export interface Payment {
  /** The CAIP-2 id of the network. */
  network: string;
  authorization: Authorization;
  answered: Answered;
  payload: Json;
  requirements: Json;
}

/** `nothing` means that the amount of the payment is 0. */
export type ClaimOutcome = Claimed | { kind: 'rejected'; rejection: Rejection } | { kind: 'nothing' };

/** A wallet that sends settlements on one chain. */
export interface SendingWallet {
  /** The CAIP-2 id of the network. */
  network: string;
  address: string;
  /** The decimals of the coin that pays for gas. */
  decimals: number;
  /** The balance in the smallest unit. */
  coins(): Promise<bigint>;
}

/** Settles payments on the chains of one family. */
export interface SettlementRail {
  /** Whether any chain of the family is configured. */
  readonly isActive: boolean;
  kinds(): FacilitatedKind[] | Promise<FacilitatedKind[]>;
  signers(): FacilitatorSigner[];
  wallets(): SendingWallet[];
  has(network: unknown): boolean;
  /**
   * The payment in a request for a network of this rail, or the reason that this deployment does not settle such
   * payments.
   */
  read(request: FacilitatedPaymentRequest): Payment | Rejection;
  verify(payment: Payment): Promise<Verified | Rejection>;
  /** Completes the identity of a payment from the state of the chain. */
  identify?(payment: Payment): Promise<Payment | Rejection>;
  /** Verifies, simulates and claims the payment. */
  claim(payment: Payment): Promise<ClaimOutcome>;
  /** Sends a claimed payment. Never rejects, because the payment is checked until its outcome is known. */
  broadcast(network: string, claimed: ClaimedNow): Promise<void>;
  /** Reads the outcome of a settlement and advances it. Each step is stored before the next, and can be repeated. */
  follow(settlement: Settlement): Promise<void>;
  /** Details of a successful settlement. */
  describe?(settlement: Settlement): Promise<SettlementDetails>;
  pollIntervalMs(network: string): number;
  /** Whether an error means that the chain did not answer. */
  isOutage(error: unknown): boolean;
}
