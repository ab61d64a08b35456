import type { TdxCollateral } from '../verify/collateral';
import type { RuntimeEvent } from '../verify/event-log';

export const attestationModes = ['tdx', 'nitro', 'sev-snp', 'tdx-simulator', 'none'] as const;
export type AttestationMode = (typeof attestationModes)[number];

/** Measurements of the virtual machine: its firmware and the four runtime registers. 96 hexadecimal digits each. */
export type Measurements = {
  mrtd: string;
  rtmr0: string;
  rtmr1: string;
  rtmr2: string;
  rtmr3: string;
};

/** The reply of `GET /attestation?nonce=`. */
export interface AttestationDocument {
  version: 1;
  mode: AttestationMode;
  /** The enclave verified its own quote. This is a claim: sellers verify the quote themselves. */
  attested: boolean;
  /** A developer's machine: keys and measurements prove nothing. */
  isDevelopment: boolean;
  /** Ed25519 key that signs receipts and this document; 64 hexadecimal digits. */
  teePublicKey: string;
  keyEpoch: number;
  /** CAIP-2. */
  network: string;
  /** Raw form. */
  verifyingContract: string;
  nonce: string | null;
  reportData: string;
  /** Hexadecimal digits; null where there is no hardware. */
  quote: string | null;
  /** The events of RTMR3 in the agent's format. Other registers are pinned by their values. */
  eventLog: RuntimeEvent[];
  measurements: Measurements | null;
  appId: string | null;
  composeHash: string | null;
  /** The vendor's collateral for this platform, for sellers that fetch none. */
  collateral?: TdxCollateral;
  /** Position of the ledger: a later document or receipt must not be below it. */
  ledger: { seq: string; head: string };
  /** ISO 8601, UTC, with milliseconds. */
  issuedAt: string;
  expiresAt: string;
  /** Base64 of 64 bytes, over `documentDigest`. */
  signature: string;
  warning?: string;
}

export type UnsignedAttestation = Omit<AttestationDocument, 'signature'>;

/** A document usually has 30 kB: 10 of the quote, 16 of the collateral. */
export const maxDocumentBytes: number = 256 * 1024;

/** Lifetime of a document: long enough to deliver it, too short to store it. */
export const maxLifetimeMs = 60_000;

export const maxNonceBytes = 64;
