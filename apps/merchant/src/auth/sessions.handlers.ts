import { Controller, Inject } from '@nestjs/common';
import {
  internalSessionsApi,
  keyRejectionMessages,
  type AuthenticateSessionReply,
  type AuthenticateSessionRequest,
  type KeyRejection,
} from '@tollbridge/contracts';
import { DomainError, Handles } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
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
  ) {}

  async authenticate({ digest }: AuthenticateSessionRequest): Promise<AuthenticateSessionReply> {
    const session = await this.repository.find(this.hash.ofDigest(digest));
    if (!session) throw unauthorized('session_unknown');
    if (session.isRevoked) throw unauthorized('session_revoked');
    if (session.expiresAtMs <= this.clock.now()) throw unauthorized('session_expired');
    return { sessionId: session.id, wallet: session.wallet };
  }
}

function unauthorized(reason: KeyRejection): DomainError {
  return new DomainError('UNAUTHORIZED', keyRejectionMessages[reason], { details: { reason } });
}
