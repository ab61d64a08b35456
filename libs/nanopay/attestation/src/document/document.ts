import type { TdxCollateral } from '../verify/collateral';
import type { RuntimeEvent } from '../verify/event-log';

export const attestationModes = ['tdx', 'nitro', 'sev-snp', 'tdx-simulator', 'none'] as const;
export type AttestationMode = (typeof attestationModes)[number];

/** Hashes of the virtual machine: its firmware, and the four registers that what runs in it extends. 96 digits each. */
export interface Measurements {
  mrtd: string;
  rtmr0: string;
  rtmr1: string;
  rtmr2: string;
  rtmr3: string;
}

/** What `GET /attestation?nonce=` answers. */
export interface AttestationDocument {
  version: 1;
  mode: AttestationMode;
  /** The enclave verified its own quote. This is a claim: sellers verify the quote themselves. */
  attested: boolean;
  /** Keys and measurements are of no value: nothing but a developer's machine. */
  isDevelopment: boolean;
  /** Ed25519, of receipts and of this document; 64 hexadecimal digits. */
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
  /** What RTMR3 was extended by, in the words of the agent. Other registers are pinned as they are. */
  eventLog: RuntimeEvent[];
  measurements: Measurements | null;
  appId: string | null;
  composeHash: string | null;
  /** What the vendor has signed of this platform, for sellers who fetch none themselves. */
  collateral?: TdxCollateral;
  /** How far the ledger was: a later document or receipt may not fall behind it. */
  ledger: { seq: string; head: string };
  /** ISO 8601, UTC, with milliseconds. */
  issuedAt: string;
  expiresAt: string;
  /** Base64 of 64 bytes, over `documentDigest`. */
  signature: string;
  warning?: string;
}

export type UnsignedAttestation = Omit<AttestationDocument, 'signature'>;

/** Usually 30 kB: the quote is written with 10, collateral with 16. */
export const maxDocumentBytes = 256 * 1024;

/** An attestation is fresh for a minute: long enough to be carried, too short to be kept. */
export const maxLifetimeMs = 60_000;

export const maxNonceBytes = 64;
