import { Controller, Inject } from '@nestjs/common';
import {
  internalSessionsApi,
  keyRejectionMessages,
  type AuthenticateSessionReply,
  type AuthenticateSessionRequest,
  type KeyRejection,
} from '@tollbridge/contracts';
import { DomainError, Handles } from '@tollbridge/rpc';
import { ServiceLogger } from '@tollbridge/bootstrap';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { SecretHash } from '../keys/secret-hash';
import { AuthRepository } from './auth.repository';

/** Internal operations on sessions, called by the gateway. */
@Controller()
@Handles(internalSessionsApi)
export class SessionsHandlers {
  constructor(
    private readonly repository: AuthRepository,
    private readonly hash: SecretHash,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async authenticate({ digest }: AuthenticateSessionRequest): Promise<AuthenticateSessionReply> {
    const hashes = this.hash.ofDigest(digest);
    const session = await this.repository.find(hashes);
    if (!session) throw unauthorized('session_unknown');
    if (session.isRevoked) throw unauthorized('session_revoked');
    if (session.expiresAtMs <= this.clock.now()) throw unauthorized('session_expired');
    if (session.outdated)
      // The verified token stays valid when this update fails: the next use of the token retries it.
      await this.repository
        .rehash(session, session.outdated, hashes)
        .catch((err: unknown) =>
          this.logger.warn({ err, sessionId: session.id }, 'rehash of a session failed'),
        );
    return { sessionId: session.id, wallet: session.wallet };
  }
}

function unauthorized(reason: KeyRejection): DomainError {
  return new DomainError('UNAUTHORIZED', keyRejectionMessages[reason], { details: { reason } });
}
