import { internalSessionsApi, type AuthenticateSessionReply } from '@tollbridge/contracts';
import { digestOfKey, readKeyText, type KeyMode } from '@tollbridge/api-keys';
import type { BusClient, CallContext } from '@tollbridge/rpc';
import { Remembered } from './remembered';
import { unauthorized, uncheckable } from './refusals';
import { unbounded, type Lookup } from './suspect-lookups';

export type KnownSession = AuthenticateSessionReply;

/** Sessions that the merchant app has vouched for. */
export class KnownSessions {
  private readonly remembered = new Remembered<KnownSession>(({ sessionId }) => sessionId);

  constructor(
    private readonly bus: Pick<BusClient, 'call'>,
    private readonly mode: KeyMode,
  ) {}

  /**
   * What is known at once, or a promise of it.
   * @param lookup how a session that is not known here is looked up
   * @throws DomainError UNAUTHORIZED for a session that is not taken
   */
  find(
    token: string,
    context: CallContext,
    lookup: Lookup = unbounded,
  ): KnownSession | Promise<KnownSession> {
    const digest = digestOfKey(token);
    const known = this.remembered.recall(digest);
    if (known) return known;
    const read = readKeyText(token);
    if (read?.kind !== 'session') throw unauthorized('malformed');
    if (read.mode !== this.mode) throw unauthorized('foreign_environment');
    const { authenticate } = internalSessionsApi.operations;
    return this.remembered.ask(digest, () =>
      lookup(() => this.bus.call(authenticate, { digest }, context)).catch(uncheckable('Sessions')),
    );
  }

  forget(sessionId: string): void {
    this.remembered.forget(sessionId);
  }

  forgetAll(): void {
    this.remembered.forgetAll();
  }
}
