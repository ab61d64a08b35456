import { DomainError } from '../errors/domain-error';
import {
  replyRetentionMs,
  type Claim,
  type Claimed,
  type KeyedCall,
  type ReplyStore,
  type StoredReply,
} from './idempotency';
import { replyOf } from '../declarations/wire';

interface Entry {
  input: Buffer;
  leaseUntilMs: number;
  createdAtMs: number;
  reply: StoredReply | undefined;
  claim: object;
}

// Enough for a few seconds of the fastest caller. An app that needs more has a database.
const defaultMaxEntries = 10_000;
const defaultMaxBytes = 32 * 1024 * 1024;

/** Stores replies in memory, for apps without a database. Their writes do not outlive the process either. */
export class MemoryReplies implements ReplyStore {
  /** Ordered by age, the oldest first. */
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(
    private readonly now: () => number = Date.now,
    private readonly limits = { maxEntries: defaultMaxEntries, maxBytes: defaultMaxBytes },
  ) {}

  get size(): number {
    return this.entries.size;
  }

  async claim({ subject, requestId, idempotencyKey, input, leaseMs }: KeyedCall): Promise<Claimed> {
    const nowMs = this.now();
    this.forgetOld(nowMs);
    const name = `${subject} ${idempotencyKey}`;
    const known = this.entries.get(name);
    if (known && !known.input.equals(input)) return { state: 'otherInput' };
    if (known?.reply) return { state: 'answered', reply: known.reply };
    if (known && known.leaseUntilMs > nowMs) return { state: 'running' };
    const { maxEntries, maxBytes } = this.limits;
    // Rejecting a call is safer than removing a reply too early.
    if (!known && (this.entries.size >= maxEntries || this.bytes >= maxBytes))
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        'The service cannot store another Idempotency-Key at present; retry later, or without the header.',
      );
    const claim = {};
    const createdAtMs = known?.createdAtMs ?? nowMs;
    this.entries.set(name, { input, claim, leaseUntilMs: nowMs + leaseMs, createdAtMs, reply: undefined });
    return { state: 'claimed', claim: this.claimOf(name, claim, { idempotencyKey, requestId }) };
  }

  private claimOf(
    name: string,
    claim: object,
    { idempotencyKey, requestId }: Pick<KeyedCall, 'idempotencyKey' | 'requestId'>,
  ): Claim {
    const mine = (): Entry | undefined => {
      const entry = this.entries.get(name);
      return entry?.claim === claim ? entry : undefined;
    };
    return {
      idempotencyKey,
      committed: undefined,
      store: async (result) => {
        const entry = mine();
        if (!entry) return undefined;
        entry.reply = { ...replyOf(result, requestId), answeredAtMs: this.now() };
        this.bytes += entry.reply.bytes.length;
        return entry.reply;
      },
      release: async () => {
        const entry = mine();
        if (entry) entry.leaseUntilMs = this.now();
        return undefined;
      },
    };
  }

  private forgetOld(nowMs: number): void {
    for (const [name, { createdAtMs, leaseUntilMs, reply }] of this.entries) {
      if (createdAtMs > nowMs - replyRetentionMs) return;
      if (!reply && leaseUntilMs > nowMs) continue;
      this.bytes -= reply?.bytes.length ?? 0;
      this.entries.delete(name);
    }
  }
}
