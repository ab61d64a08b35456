import { internalKeysApi } from '@tollbridge/contracts';
import { digestOfKey, readKeyText, type KeyKind, type KeyMode } from '@tollbridge/api-keys';
import type { BusClient, CallContext, Permission } from '@tollbridge/rpc';
import type { Rate } from '../rate-limit/rate';
import { Remembered } from './remembered';
import { unauthorized, uncheckable } from './refusals';
import { unbounded, type Lookup } from './suspect-lookups';

export interface KnownKey {
  keyId: string;
  owner: string;
  kind: KeyKind;
  permissions: readonly Permission[];
  plan: string;
  /** Null is no limit. */
  rate: Rate | null;
}

/** Keys that the merchant app has vouched for. */
export class KnownKeys {
  private readonly remembered = new Remembered<KnownKey>(({ keyId }) => keyId);

  constructor(
    private readonly bus: Pick<BusClient, 'call'>,
    private readonly mode: KeyMode,
  ) {}

  /**
   * What is known at once, or a promise of it.
   * @param lookup how a key that is not known here is looked up
   * @throws DomainError UNAUTHORIZED for a key that is not taken
   */
  find(text: string, context: CallContext, lookup: Lookup = unbounded): KnownKey | Promise<KnownKey> {
    const digest = digestOfKey(text);
    const known = this.remembered.recall(digest);
    if (known) return known;
    // What never was a key, or is none of ours, is told so without asking anybody.
    const read = readKeyText(text);
    if (!read || read.kind === 'session') throw unauthorized('malformed');
    if (read.mode !== this.mode) throw unauthorized('foreign_environment');
    const { kind } = read;
    return this.remembered.ask(digest, async () => {
      const { authenticate } = internalKeysApi.operations;
      const ask = () => this.bus.call(authenticate, { digest, kind }, context);
      const reply = await lookup(ask).catch(uncheckable('API keys'));
      return { ...reply, kind };
    });
  }

  forget(keyId: string): void {
    this.remembered.forget(keyId);
  }

  forgetAll(): void {
    this.remembered.forgetAll();
  }

  get size(): number {
    return this.remembered.size;
  }
}
