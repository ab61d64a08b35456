import type { SigningKey } from '@tollbridge/nanopay-protocol';
import { buildAttestation, type EnclaveIdentity } from '../document/build-document';
import { maxNonceBytes, type AttestationDocument } from '../document/document';
import { reportData } from '../document/report-data';
import { AttestationUnavailable, type Attester } from './attester';

export interface AttestationIssuerOptions {
  attester: Attester;
  identity: EnclaveIdentity;
  key: SigningKey;
  ledger: () => { seq: bigint; head: Buffer };
  nowMs?: () => number;
  /** Average rate of quotes for new nonces. 60 by default. */
  quotesPerMinute?: number;
  /** Maximum burst of quotes for new nonces. */
  burst?: number;
}

interface CachedDocument {
  document: Promise<AttestationDocument>;
  untilMs: number;
}

// Half of a document's lifetime, so that a client always has at least the other half to verify it.
const reuseMs = 30_000;
// A document has up to 256 kB, usually 30 kB.
const maxCached = 64;
const pauseAfterFailureMs = 1_000;

const nonceText = new RegExp(`^(?:[0-9a-f]{2}){1,${maxNonceBytes}}$`, 'i');

/**
 * Creates the documents of `GET /attestation`. The document of a nonce is reused for 30 seconds. Quotes for new nonces
 * are rate limited. Requests without a nonce share one document outside the rate limit, so that no client can block the
 * others. When the agent does not answer, the request fails and returns no expired document.
 */
export class AttestationIssuer {
  private readonly cached = new Map<string, CachedDocument>();
  private tokens: number;
  private filledMs: number;
  private failedMs = -Infinity;

  constructor(private readonly options: AttestationIssuerOptions) {
    this.tokens = this.burst;
    this.filledMs = this.nowMs();
  }

  /** @param asked the nonce in the query: hexadecimal digits of 1 to 64 bytes */
  async attest(asked?: string): Promise<AttestationDocument> {
    if (asked !== undefined && !nonceText.test(asked))
      throw new AttestationUnavailable('nonce_invalid', 'nonce must be 1 to 64 bytes in hexadecimal digits');
    const nonce = asked?.toLowerCase();
    const name = nonce ?? '';
    const nowMs = this.nowMs();
    const cached = this.cached.get(name);
    if (cached && nowMs < cached.untilMs) return cached.document;
    if (nowMs < this.failedMs + pauseAfterFailureMs)
      throw new AttestationUnavailable('agent_unavailable', 'the agent has just failed', pauseAfterFailureMs);
    if (nonce !== undefined) this.takeToken(nowMs);
    this.makeRoom(nowMs);
    const document = this.make(nonce ?? null);
    this.cached.set(name, { document, untilMs: nowMs + reuseMs });
    try {
      return await document;
    } catch (error) {
      this.failedMs = this.nowMs();
      if (this.cached.get(name)?.document === document) this.cached.delete(name);
      throw error;
    }
  }

  private async make(nonce: string | null): Promise<AttestationDocument> {
    const { attester, identity, key, ledger } = this.options;
    const { mode } = attester;
    // Take the time before the quote, so that the document never claims to be newer than its quote.
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
      throw new AttestationUnavailable('rate_limited', 'too many attestation requests', retryAfterMs);
    }
    this.tokens -= 1;
  }

  private makeRoom(nowMs: number): void {
    for (const [name, { untilMs }] of this.cached) if (untilMs <= nowMs) this.cached.delete(name);
    // Evicts the oldest document, but never the shared one.
    for (const name of this.cached.keys()) {
      if (this.cached.size < maxCached) return;
      if (name !== '') this.cached.delete(name);
    }
  }

  private get burst(): number {
    return this.options.burst ?? 10;
  }

  private nowMs(): number {
    return (this.options.nowMs ?? Date.now)();
  }
}
