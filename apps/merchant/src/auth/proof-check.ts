import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import {
  checkEvmProof,
  checkSolanaProof,
  checkTonProof,
  ContractWallets,
  differenceFrom,
  ProofUncheckable,
  type ProofVerdict,
} from '@tollbridge/wallet-proof';
import { textOf, type Challenge, type SignedChallenge } from './challenge';

/** Verifies the signatures of challenges. */
@Injectable()
export class ProofCheck {
  constructor(
    private readonly contracts: ContractWallets,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError UPSTREAM_UNAVAILABLE when the node of a contract wallet's chain does not answer; the nonce
   * stays unused
   */
  check(challenge: Challenge, signed: SignedChallenge): Promise<ProofVerdict> {
    return this.verdictOf(challenge, signed).catch(explain);
  }

  private async verdictOf(challenge: Challenge, signed: SignedChallenge): Promise<ProofVerdict> {
    const { wallet, chainId, domain, nonce } = challenge;
    if (wallet.scheme === 'ton_proof') {
      const expected = { wallet: wallet.address, domain, payload: nonce, nowMs: this.clock.now() };
      return checkTonProof(signed.proof!, expected);
    }
    const [message, signature] = [signed.message!, signed.signature!];
    const difference = differenceFrom(textOf(challenge)!, message);
    if (difference) return { ok: false, reason: difference };
    return wallet.scheme === 'solana'
      ? checkSolanaProof(wallet.address, message, signature)
      : checkEvmProof({ wallet: wallet.address, chainId, message, signature }, this.contracts);
  }
}

function explain(cause: unknown): never {
  if (!(cause instanceof ProofUncheckable)) throw cause;
  const sentence =
    'The chain of this contract wallet does not answer, so its signature cannot be verified. Retry after retryAfter seconds.';
  throw new DomainError('UPSTREAM_UNAVAILABLE', sentence, { cause });
}
