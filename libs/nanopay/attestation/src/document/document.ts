import type { TdxCollateral } from '../verify/collateral';
import type { RuntimeEvent } from '../verify/event-log';

export const attestationModes = ['tdx', 'nitro', 'sev-snp', 'tdx-simulator', 'none'] as const;
export type AttestationMode = (typeof attestationModes)[number];

/** Measurements of the virtual machine: its firmware and the four runtime registers. Each has 96 hexadecimal digits. */
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
  /** True on a developer's machine, where keys and measurements prove nothing. */
  isDevelopment: boolean;
  /** Ed25519 key that signs receipts and this document; 64 hexadecimal digits. */
  teePublicKey: string;
  keyEpoch: number;
  /** CAIP-2 identifier. */
  network: string;
  /** Raw form of the account: `workchain:hash`. */
  verifyingContract: string;
  nonce: string | null;
  reportData: string;
  /** Hexadecimal digits; null without hardware. */
  quote: string | null;
  /** The events of RTMR3 in the agent's format. Other registers are pinned by their values. */
  eventLog: RuntimeEvent[];
  measurements: Measurements | null;
  appId: string | null;
  composeHash: string | null;
  /** The vendor's collateral for this platform, for sellers that do not fetch their own. */
  collateral?: TdxCollateral;
  /** Position of the ledger. Later documents and receipts must not have a lower position. */
  ledger: { seq: string; head: string };
  /** ISO 8601, UTC, with milliseconds. */
  issuedAt: string;
  expiresAt: string;
  /** Base64 of the 64-byte signature over `documentDigest`. */
  signature: string;
  warning?: string;
}

export type UnsignedAttestation = Omit<AttestationDocument, 'signature'>;

/** A document usually has 30 kB, including 10 kB of quote and 16 kB of collateral. */
export const maxDocumentBytes: number = 256 * 1024;

/** Lifetime of a document: long enough for its delivery, but too short to reuse it later. */
export const maxLifetimeMs = 60_000;

export const maxNonceBytes = 64;
