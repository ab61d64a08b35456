import type { AttestationMode, Measurements } from '../document/document';
import type { TdxCollateral } from '../verify/collateral';
import type { RuntimeEvent } from '../verify/event-log';

/** Evidence for 64 bytes of report data. */
export interface Evidence {
  /** True if this process verified that the quote is from genuine hardware and a non-debug machine. */
  attested: boolean;
  /** Hexadecimal digits; null if the simulator has no quote of this report data. */
  quote: string | null;
  eventLog: RuntimeEvent[];
  measurements: Measurements | null;
  appId: string | null;
  composeHash: string | null;
  collateral?: TdxCollateral;
  warning?: string;
}

/** The source of an enclave's evidence and key. */
export interface Attester {
  readonly mode: AttestationMode;
  /** Resolves to null without hardware. Throws `AttestationUnavailable` when the hardware's agent does not answer. */
  quote(reportData: Buffer): Promise<Evidence | null>;
  /** The seed of the Ed25519 key: 32 bytes, the same at every start of the enclave. */
  keySeed?(): Promise<Buffer>;
}

/** Attestation is not available now. The caller must not reuse an older document. */
export class AttestationUnavailable extends Error {
  constructor(
    readonly code: 'agent_unavailable' | 'rate_limited' | 'nonce_invalid',
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
