import type { SigningKey } from '@tollbridge/nanopay-protocol';
import { buildAttestation, type EnclaveIdentity } from '../document/build-document';
import { maxNonceBytes, type AttestationDocument } from '../document/document';
import { reportData } from '../document/report-data';
import { AttestationUnavailable, type Attester } from './attester';

export interface AttestationDeskOptions {
  attester: Attester;
  identity: EnclaveIdentity;
  key: SigningKey;
  ledger: () => { seq: bigint; head: Buffer };
  nowMs?: () => number;
  /** Quotes for nonces of callers, in the long run. */
  quotesPerMinute?: number;
  /** How many of them may come at once. */
  burst?: number;
}

interface Kept {
  document: Promise<AttestationDocument>;
  untilMs: number;
}

// Half of the life of a document, so that who gets a kept one has the other half to check it.
const reuseMs = 30_000;
// Of at most 256 kB each, usually 30: bounded by what may be quoted in the time of reuse as well.
const maxKept = 64;
// An agent that has just failed is left alone for so long.
const pauseAfterFailureMs = 1_000;

const nonceText = new RegExp(`^(?:[0-9a-f]{2}){1,${maxNonceBytes}}$`, 'i');

/**
 * Answers `GET /attestation`. The same question within half a minute gets the same document; others cost a quote, of which
 * there are so many a minute. Questions without a nonce share one document and are not limited, so that one
 * client's quotes cannot block all others. When the agent does not answer, the reply is an error, never an expired document.
 */
export class AttestationDesk {
  private readonly kept = new Map<string, Kept>();
  private tokens: number;
  private filledMs: number;
  private failedMs = -Infinity;

  constructor(private readonly options: AttestationDeskOptions) {
    this.tokens = this.burst;
    this.filledMs = this.nowMs();
  }

  /** @param asked the nonce as in the query: hexadecimal digits of 1 to 64 bytes */
  async attest(asked?: string): Promise<AttestationDocument> {
    if (asked !== undefined && !nonceText.test(asked))
      throw new AttestationUnavailable('nonce_invalid', 'nonce must be 1 to 64 bytes in hexadecimal digits');
    const nonce = asked?.toLowerCase();
    const name = nonce ?? '';
    const nowMs = this.nowMs();
    const kept = this.kept.get(name);
    if (kept && nowMs < kept.untilMs) return kept.document;
    if (nowMs < this.failedMs + pauseAfterFailureMs)
      throw new AttestationUnavailable('agent_unavailable', 'the agent has just failed', pauseAfterFailureMs);
    if (nonce !== undefined) this.takeToken(nowMs);
    this.makeRoom(nowMs);
    const document = this.make(nonce ?? null);
    this.kept.set(name, { document, untilMs: nowMs + reuseMs });
    try {
      return await document;
    } catch (error) {
      this.failedMs = this.nowMs();
      if (this.kept.get(name)?.document === document) this.kept.delete(name);
      throw error;
    }
  }

  private async make(nonce: string | null): Promise<AttestationDocument> {
    const { attester, identity, key, ledger } = this.options;
    const { mode } = attester;
    // The time is taken before the quote: a document never says that it is younger than it is.
    const now = new Date(this.nowMs());
    const teePublicKey = key.publicKey.toString('hex');
    const evidence = await attester.quote(reportData({ ...identity, teePublicKey, nonce }));
    return buildAttestation({ identity, key, mode, evidence, nonce, ledger: ledger(), now });
  }

  private takeToken(nowMs: number): void {
    const perMs = (this.options.quotesPerMinute ?? 60) / 60_000;
    this.tokens = Math.min(this.burst, this.tokens + Math.max(0, nowMs - this.filledMs) * perMs);
    this.filledMs = nowMs;
    if (this.tokens < 1) {
      const retryAfterMs = Math.ceil((1 - this.tokens) / perMs);
      throw new AttestationUnavailable('rate_limited', 'too many attestations were asked for', retryAfterMs);
    }
    this.tokens -= 1;
  }

  private makeRoom(nowMs: number): void {
    for (const [name, { untilMs }] of this.kept) if (untilMs <= nowMs) this.kept.delete(name);
    // Evicts the oldest document, but never the shared one.
    for (const name of this.kept.keys()) {
      if (this.kept.size < maxKept) return;
      if (name !== '') this.kept.delete(name);
    }
  }

  private get burst(): number {
    return this.options.burst ?? 10;
  }

  private nowMs(): number {
    return (this.options.nowMs ?? Date.now)();
  }
}
