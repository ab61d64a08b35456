import {
  internalKeysApi,
  keyRefusalSentences,
  type AuthenticateReply,
  type KeyRefusal,
} from '@tollbridge/api';
import { digestOfKey, readKeyText, type KeyKind, type KeyMode } from '@tollbridge/api-keys';
import { DomainError, type BusClient, type CallContext, type Permission } from '@tollbridge/bus';
import type { Rate } from '../rate-limit/shared-counts';

export interface KnownKey {
  keyId: string;
  owner: string;
  kind: KeyKind;
  permissions: readonly Permission[];
  plan: string;
  /** Null is no limit. */
  rate: Rate | null;
}

interface Entry {
  key: KnownKey;
  untilMs: number;
}

// How long a key is believed when nobody tells of its change: the bound for a lost event. Long enough that a restart of
// the service behind it is not noticed by those who call often.
export const keyLifetimeMs = 5_000;
// Some hundred bytes each. With more keys in use at a time, those remembered longest are asked for again.
const maxEntries = 10_000;

/**
 * Keys that the service behind has vouched for, by the SHA-256 of what was presented; what was presented itself is
 * nowhere kept. Only keys that are good are remembered: others are counted, and soon not asked for at all.
 */
export class KnownKeys {
  private readonly entries = new Map<string, Entry>();
  private readonly asked = new Map<string, Promise<KnownKey>>();
  /** Counts what was forgotten: an answer that was asked for before that may be outdated. */
  private forgotten = 0;

  constructor(
    private readonly bus: Pick<BusClient, 'call'>,
    private readonly mode: KeyMode,
  ) {}

  /** What is known at once, or a promise of it. @throws DomainError UNAUTHORIZED for a key that is not taken. */
  find(text: string, context: CallContext): KnownKey | Promise<KnownKey> {
    const digest = digestOfKey(text);
    const entry = this.entries.get(digest);
    if (entry && entry.untilMs > performance.now()) return entry.key;
    // What never was a key, or is none of ours, is told so without asking anybody.
    const read = readKeyText(text);
    if (!read) throw unauthorized('malformed');
    if (read.mode !== this.mode) throw unauthorized('foreign_environment');
    return this.asked.get(digest) ?? this.ask(digest, read.kind, context);
  }

  forget(keyId: string): void {
    this.forgotten++;
    this.asked.clear();
    for (const [digest, { key }] of this.entries) if (key.keyId === keyId) this.entries.delete(digest);
  }

  forgetAll(): void {
    this.forgotten++;
    this.asked.clear();
    this.entries.clear();
  }

  get size(): number {
    return this.entries.size;
  }

  /** Those who present the same key meanwhile wait for the same answer. */
  private ask(digest: string, kind: KeyKind, context: CallContext): Promise<KnownKey> {
    const asking = this.answer(digest, kind, context).finally(() => {
      if (this.asked.get(digest) === asking) this.asked.delete(digest);
    });
    this.asked.set(digest, asking);
    return asking;
  }

  private async answer(digest: string, kind: KeyKind, context: CallContext): Promise<KnownKey> {
    const { authenticate } = internalKeysApi.operations;
    const { forgotten } = this;
    const reply = await this.bus.call(authenticate, { digest, kind }, context).catch(explain);
    const key = { ...reply, kind };
    if (forgotten === this.forgotten) this.remember(digest, key);
    return key;
  }

  private remember(digest: string, key: KnownKey): void {
    // Set anew, it stands last: the first is always the oldest.
    this.entries.delete(digest);
    this.entries.set(digest, { key, untilMs: performance.now() + keyLifetimeMs });
    if (this.entries.size <= maxEntries) return;
    const [oldest] = this.entries.keys();
    this.entries.delete(oldest!);
  }
}

/** A question has no effect, so one without an answer may be repeated, whatever became of it. */
function explain(cause: unknown): AuthenticateReply | never {
  if (cause instanceof DomainError && cause.code === 'UNAUTHORIZED') throw cause;
  throw new DomainError('SERVICE_UNAVAILABLE', 'API keys cannot be checked at present; try again shortly.', {
    cause,
  });
}

export function unauthorized(reason: KeyRefusal): DomainError {
  return new DomainError('UNAUTHORIZED', keyRefusalSentences[reason], { details: { reason } });
}
