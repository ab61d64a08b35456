import { internalSessionsApi, type AuthenticateSessionReply } from '@tollbridge/contracts';
import { digestOfKey, readKeyText, type KeyMode } from '@tollbridge/api-keys';
import type { BusClient, CallContext } from '@tollbridge/rpc';
import { CredentialCache } from './credential-cache';
import { lookupFailure, unauthorized } from './rejections';
import { repeated } from './repeated-lookup';
import { unbounded, type Lookup } from './suspect-lookups';

export type Session = AuthenticateSessionReply;

/** Valid wallet sessions, looked up in the merchant app and cached. */
export class CachedSessions {
  private readonly cache = new CredentialCache<Session>(({ sessionId }) => sessionId);

  constructor(
    private readonly bus: Pick<BusClient, 'call'>,
    private readonly mode: KeyMode,
  ) {}

  /**
   * Synchronous for a cached session.
   * @param lookup limits the calls to the merchant app
   * @throws DomainError UNAUTHORIZED for an invalid session, SERVICE_UNAVAILABLE when the session cannot be verified
   */
  find(token: string, context: CallContext, lookup: Lookup = unbounded): Session | Promise<Session> {
    const digest = digestOfKey(token);
    return this.cache.find(digest, async () => {
      const read = readKeyText(token);
      if (read?.kind !== 'session') throw unauthorized('malformed');
      if (read.mode !== this.mode) throw unauthorized('foreign_environment');
      const { authenticate } = internalSessionsApi.operations;
      const call = () => this.bus.call(authenticate, { digest }, context);
      return lookup(() => repeated(call)).catch(lookupFailure('Sessions'));
    });
  }

  invalidate(sessionId: string): void {
    this.cache.invalidate(sessionId);
  }

  invalidateAll(): void {
    this.cache.invalidateAll();
  }
}
