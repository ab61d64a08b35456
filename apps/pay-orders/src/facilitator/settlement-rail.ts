import type { FacilitatedKind, FacilitatedPaymentRequest, FacilitatorSigner } from '@tollbridge/contracts';
import type { Authorization, Json } from './authorization';
import type { Settlement } from './settlement';
import type { Claimed, ClaimedNow } from './settlements.repository';

/** Why a payment is not settled. */
export interface Rejection {
  reason: string;
  message?: string;
}

/** A payment that this deployment may settle, if it is valid. */
export interface Payment {
  /** CAIP-2. */
  network: string;
  authorization: Authorization;
  payload: Json;
  requirements: Json;
}

/** A wallet that sends settlements on one chain. */
export interface SendingWallet {
  /** CAIP-2. */
  network: string;
  address: string;
  /** Of the coin that pays for gas. */
  decimals: number;
  /** In the smallest unit. */
  coins(): Promise<bigint>;
}

/** How payments are settled on the chains of one family. */
export interface SettlementRail {
  /** Whether any chain of the family is configured. */
  readonly isActive: boolean;
  kinds(): FacilitatedKind[];
  signers(): FacilitatorSigner[];
  wallets(): SendingWallet[];
  has(network: unknown): boolean;
  /** The payment in a request for a network of this rail, or why this deployment does not settle such payments. */
  read(request: FacilitatedPaymentRequest): Payment | Rejection;
  /** @returns undefined for a valid payment */
  verify(payment: Payment): Promise<Rejection | undefined>;
  /** Verifies, simulates and claims the payment. `nothing`: its amount is 0. */
  claim(payment: Payment): Promise<Claimed | Rejection | 'nothing'>;
  /** Sends a claimed payment. Never rejects: it is followed until its outcome is known. */
  broadcast(network: string, claimed: ClaimedNow): Promise<void>;
  /** Finds out what became of a settlement and moves it on. Each step is stored before the next, and can be repeated. */
  follow(settlement: Settlement): Promise<void>;
  pollIntervalMs(network: string): number;
  /** Whether an error means that the chain did not answer. */
  isOutage(error: unknown): boolean;
}
