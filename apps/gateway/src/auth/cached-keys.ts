import { internalKeysApi } from '@tollbridge/contracts';
import { digestOfKey, readKeyText, type KeyKind, type KeyMode } from '@tollbridge/api-keys';
import type { BusClient, CallContext, Permission } from '@tollbridge/rpc';
import type { Rate } from '../rate-limit/rate';
import { CredentialCache } from './credential-cache';
import { lookupFailure, unauthorized } from './rejections';
import { repeated } from './repeated-lookup';
import { unbounded, type Lookup } from './suspect-lookups';

export interface ApiKey {
  keyId: string;
  owner: string;
  kind: KeyKind;
  permissions: readonly Permission[];
  plan: string;
  /** Null means no limit. */
  rate: Rate | null;
}

/** Valid API keys, looked up in the merchant app and cached. */
export class CachedKeys {
  private readonly cache = new CredentialCache<ApiKey>(({ keyId }) => keyId);

  constructor(
    private readonly bus: Pick<BusClient, 'call'>,
    private readonly mode: KeyMode,
  ) {}

  /**
   * Synchronous for a cached key.
   * @param lookup limits the calls to the merchant app
   * @throws DomainError UNAUTHORIZED for an invalid key, SERVICE_UNAVAILABLE when the key cannot be verified
   */
  find(text: string, context: CallContext, lookup: Lookup = unbounded): ApiKey | Promise<ApiKey> {
    const digest = digestOfKey(text);
    return this.cache.find(digest, async () => {
      // A malformed key and a key of another environment are rejected without a call.
      const kind = this.kindOf(text);
      const { authenticate } = internalKeysApi.operations;
      const call = () => this.bus.call(authenticate, { digest, kind }, context);
      const reply = await lookup(() => repeated(call)).catch(lookupFailure('API keys'));
      return { ...reply, kind };
    });
  }

  private kindOf(text: string): KeyKind {
    const read = readKeyText(text);
    if (!read || read.kind === 'session') throw unauthorized('malformed');
    if (read.mode !== this.mode) throw unauthorized('foreign_environment');
    return read.kind;
  }

  invalidate(keyId: string): void {
    this.cache.invalidate(keyId);
  }

  invalidateAll(): void {
    this.cache.invalidateAll();
  }

  get size(): number {
    return this.cache.size;
  }
}
