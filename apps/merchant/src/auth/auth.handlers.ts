import { Controller, Inject } from '@nestjs/common';
import {
  authApi,
  type ChallengeReply,
  type ChallengeRequest,
  type RevokeSessionRequest,
  type SessionRevokedReply,
  type SessionsReply,
  type SessionsRequest,
  type VerifyReply,
  type VerifyRequest,
} from '@tollbridge/contracts';
import {
  type CallContext,
  DomainError,
  type FieldError,
  Handles,
  merchantOf,
  Validates,
} from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { OutboxWorker } from '@tollbridge/bootstrap';
import { AuthRepository, type WalletSession } from './auth.repository';
import { validateChainId, validateProof, validateWallet } from './challenge';
import { SignIn } from './sign-in';

@Controller()
@Handles(authApi)
export class AuthHandlers {
  constructor(
    private readonly signIn: SignIn,
    private readonly repository: AuthRepository,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  createChallenge(request: ChallengeRequest): ChallengeReply {
    return this.signIn.challenge(request);
  }

  @Validates(authApi.operations.createChallenge)
  validateCreateChallenge({ wallet: text, chainId }: Partial<ChallengeRequest>): FieldError[] {
    if (text === undefined) return [];
    const wallet = this.signIn.walletOf(text);
    return wallet ? validateChainId(wallet, chainId) : validateWallet(wallet);
  }

  verifyChallenge(request: VerifyRequest, context: CallContext): Promise<VerifyReply> {
    return this.signIn.verify(request, context);
  }

  @Validates(authApi.operations.verifyChallenge)
  validateVerifyChallenge(given: Partial<VerifyRequest>): FieldError[] {
    if (given.wallet === undefined) return [];
    const wallet = this.signIn.walletOf(given.wallet);
    return wallet ? validateProof(wallet, given) : validateWallet(wallet);
  }

  async listSessions(_request: SessionsRequest, context: CallContext): Promise<SessionsReply> {
    const sessions = await this.repository.list(merchantOf(context), this.clock.now());
    return { sessions: sessions.map(view) };
  }

  async revokeSession({ id }: RevokeSessionRequest, context: CallContext): Promise<SessionRevokedReply> {
    const isKnown = await this.repository.revoke(merchantOf(context), id, this.clock.now(), context);
    if (!isKnown)
      throw new DomainError(
        'NOT_FOUND',
        'The session does not exist. Read GET /api/auth/sessions for its id.',
      );
    return this.revoked();
  }

  async revokeSessions(_request: SessionsRequest, context: CallContext): Promise<SessionRevokedReply> {
    await this.repository.revokeAll(merchantOf(context), this.clock.now(), context);
    return this.revoked();
  }

  private revoked(): SessionRevokedReply {
    // Publish the event immediately, so that gateways drop the session from their caches.
    this.outbox.wake();
    return { ok: true };
  }
}

function view({
  id,
  scheme,
  chainId,
  createdAtMs,
  expiresAtMs,
}: WalletSession): SessionsReply['sessions'][0] {
  return {
    id,
    scheme,
    chainId,
    createdAt: new Date(createdAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
}
