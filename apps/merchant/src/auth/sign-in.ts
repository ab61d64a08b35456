import { Inject, Injectable } from '@nestjs/common';
import {
  proofRejectionMessages,
  type ChallengeReply,
  type ChallengeRequest,
  type VerifyReply,
  type VerifyRequest,
} from '@tollbridge/contracts';
import { modeOf, newKeyText } from '@tollbridge/api-keys';
import { DomainError, type CallContext } from '@tollbridge/rpc';
import { Clock, storeReply } from '@tollbridge/database';
import { OutboxWorker, ServiceConfig } from '@tollbridge/bootstrap';
import { secretValues } from '@tollbridge/config';
import { NonceSeal, readWallet, type ProofRejection, type Wallet } from '@tollbridge/wallet-proof';
import { v7 as uuid } from 'uuid';
import type { MerchantConfig } from '../config';
import { SecretHash } from '../keys/secret-hash';
import { AuthRepository } from './auth.repository';
import {
  challengeView,
  defaultChainId,
  expiryOf,
  timeRejection,
  signInPage,
  type Challenge,
  type SignInPage,
} from './challenge';
import { ProofCheck } from './proof-check';

const dayMs = 24 * 60 * 60_000;

/** Signs wallets in: issues challenges, verifies them and opens sessions. */
@Injectable()
export class SignIn {
  private readonly page: SignInPage;
  private readonly seal: NonceSeal;

  constructor(
    private readonly repository: AuthRepository,
    private readonly hash: SecretHash,
    private readonly proofs: ProofCheck,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: MerchantConfig,
  ) {
    this.page = signInPage(config.MERCHANT_SIGN_IN_URL || config.GATEWAY_PUBLIC_URL);
    this.seal = new NonceSeal(secretValues(config.MERCHANT_KEY_PEPPER), this.page.domain);
  }

  walletOf(text: string): Wallet | undefined {
    return readWallet(text, this.config.environment);
  }

  challenge({ wallet: text, chainId = defaultChainId }: ChallengeRequest): ChallengeReply {
    const wallet = this.walletOf(text)!;
    // The signed message contains the time in whole seconds.
    const issuedAtMs = Math.floor(this.clock.now() / 1000) * 1000;
    const issued = { issuedAtMs, chainId: wallet.scheme === 'eip4361' ? chainId : 0 };
    return challengeView(this.challengeOf(wallet, this.seal.issue(wallet.address, issued), issued));
  }

  async verify(request: VerifyRequest, context: CallContext): Promise<VerifyReply> {
    const wallet = this.walletOf(request.wallet)!;
    const issued = this.seal.open(request.nonce, wallet.address);
    if (!issued) throw await this.rejected(wallet, 'nonce_unknown', context);
    const late = timeRejection(issued, this.clock.now());
    if (late) throw await this.rejected(wallet, late, context);
    const challenge = this.challengeOf(wallet, request.nonce, issued);
    const verdict = await this.proofs.check(challenge, request);
    if (!verdict.ok) throw await this.rejected(wallet, verdict.reason, context);
    return this.open(challenge, verdict.isContract, context);
  }

  private challengeOf(
    wallet: Wallet,
    nonce: string,
    issued: { issuedAtMs: number; chainId: number },
  ): Challenge {
    return { wallet, nonce, ...issued, ...this.page, environment: this.config.environment };
  }

  private async open(challenge: Challenge, isContract: boolean, context: CallContext): Promise<VerifyReply> {
    const { wallet, nonce, chainId, environment } = challenge;
    const nowMs = this.clock.now();
    const token = newKeyText(modeOf(environment), 'session');
    const expiresAtMs = nowMs + this.config.MERCHANT_SESSION_DAYS * dayMs;
    const session = {
      id: uuid(),
      wallet: wallet.address,
      scheme: wallet.scheme,
      chainId: chainId || null,
      createdAtMs: nowMs,
      expiresAtMs,
    };
    const reply: VerifyReply = {
      token,
      wallet: wallet.address,
      sessionId: session.id,
      expiresAt: new Date(expiresAtMs).toISOString(),
    };
    const proof = { nonce, nonceExpiresAtMs: expiryOf(challenge), isContract };
    const rejection = await this.repository.open(
      { ...session, tokenHash: this.hash.of(token) },
      proof,
      context,
      (client) => storeReply(client, context, reply),
    );
    if (rejection) throw await this.rejected(wallet, rejection, context);
    // The sign-in may have revoked the oldest session: publish that event immediately.
    this.outbox.wake();
    return reply;
  }

  private async rejected(wallet: Wallet, reason: ProofRejection, context: CallContext): Promise<DomainError> {
    await this.repository.recordRejection(wallet, reason, this.clock.now(), context);
    return new DomainError('UNAUTHORIZED', proofRejectionMessages[reason], { details: { reason } });
  }
}
