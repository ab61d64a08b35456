import type { AttestationMode, Measurements } from '../document/document';
import type { TdxCollateral } from '../verify/collateral';
import type { RuntimeEvent } from '../verify/event-log';

/** What stands behind 64 bytes of report data. */
export interface Evidence {
  /** Evidence for these bytes from genuine hardware in a non-debug machine, verified here. */
  attested: boolean;
  /** Hexadecimal digits; null where a simulator has none for these bytes. */
  quote: string | null;
  eventLog: RuntimeEvent[];
  measurements: Measurements | null;
  appId: string | null;
  composeHash: string | null;
  collateral?: TdxCollateral;
  warning?: string;
}

/** Where an enclave gets its evidence from, and its key. */
export interface Attester {
  readonly mode: AttestationMode;
  /** Null where nothing can attest. Throws `AttestationUnavailable` where something should, and does not answer. */
  quote(reportData: Buffer): Promise<Evidence | null>;
  /** 32 bytes, the same at every start of the same enclave: the secret of its Ed25519 key. */
  keySeed?(): Promise<Buffer>;
}

/** There is no attestation now; nothing older is given in its stead. */
export class AttestationUnavailable extends Error {
  constructor(
    readonly code: 'agent_unavailable' | 'rate_limited' | 'nonce_invalid',
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
