import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/data';
import {
  dialogDigest,
  doesChainAllow,
  doesGrantAllow,
  isDialogOfGrant,
  linkNonce,
  maxDialogSkewS,
  type ChargeItem,
  type PaymentTerms,
  type PresentedSession,
  type Refusal,
} from '@tollbridge/nanopay';
import { ServiceConfig } from '@tollbridge/service';
import { dialogDomainsOf, type TeeConfig } from '../config';
import { Verifier } from '../verification/verifier';
import type { CheckedPayment } from './ledger';
import { digestOfSession, type SessionKey } from './sessions';

// Agents that pay at the same time; of each 64 bytes are kept.
const maxVerified = 100_000;
const unchained = 'invalid_ton_nanopay_hash_chain';

interface Wallet {
  key: Buffer;
  isNewKey: boolean;
}

/**
 * Payments by grants, which a wallet signs once: then the key of a session signs each payment, or each reveals a link of a
 * chain of hashes.
 */
@Injectable()
export class SessionGrants {
  /** Grants that their wallets have signed, with the keys that did: a wallet may get another. Session keys are strong. */
  private readonly verified = new Set<string>();
  private readonly domains: ReadonlySet<string>;

  constructor(
    private readonly verifier: Verifier,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) config: TeeConfig,
  ) {
    this.domains = dialogDomainsOf(config);
  }

  /** What is to be said against a payment with a grant, beside what was spent before: the ledger knows that. */
  async objectionTo(
    { session: grant, dialog, signature }: ChargeItem,
    terms: PaymentTerms,
    { digest, session }: CheckedPayment,
    wallet: Wallet,
  ): Promise<Refusal | 'unknown' | undefined> {
    // An agent's key has no wallet that could show a dialog.
    if (!grant || !session || dialog || !doesGrantAllow(grant, terms, this.clock.now() / 1000))
      return 'invalid_ton_nanopay_session';
    const name = nameOf(session.key, wallet);
    const isVerified = this.verified.has(name);
    const objection = isVerified ? undefined : await this.objectionToGrant(grant, session.key, terms, wallet);
    if (objection) return objection;
    const verdict = await this.verifier.check(digest, grant.publicKey, signature, !isVerified);
    if (verdict === undefined) return 'unknown';
    if (verdict === 'weakKey') return 'invalid_ton_nanopay_weak_key';
    if (verdict === 'wrong') return 'invalid_ton_nanopay_signature';
    if (!isVerified) this.remember(name);
    return undefined;
  }

  /** The same of a payment by a link; whether that is of the chain, the ledger knows. */
  async objectionToChain(
    { chain, dialog, signature }: ChargeItem,
    terms: PaymentTerms,
    { session }: CheckedPayment,
    wallet: Wallet,
  ): Promise<Refusal | 'unknown' | undefined> {
    if (!chain || !session || !doesChainAllow(chain, terms, this.clock.now() / 1000)) return unchained;
    if (!terms.nonce.equals(linkNonce(digestOfSession(session.key), chain.index))) return unchained;
    const name = nameOf(session.key, wallet);
    if (this.verified.has(name)) return undefined;
    const grant = { dialog, signature, validBeforeS: chain.validBeforeS };
    const objection = await this.objectionToGrant(grant, session.key, terms, wallet);
    if (objection) return objection === 'invalid_ton_nanopay_session' ? unchained : objection;
    this.remember(name);
    return undefined;
  }

  private async objectionToGrant(
    grant: Pick<PresentedSession, 'dialog' | 'signature' | 'validBeforeS'>,
    key: SessionKey,
    { from }: PaymentTerms,
    wallet: Wallet,
  ): Promise<Refusal | 'unknown' | undefined> {
    const { dialog, signature } = grant;
    const nowS = this.clock.now() / 1000;
    if (!isDialogOfGrant(grant, this.domains, nowS, maxDialogSkewS)) return 'invalid_ton_nanopay_session';
    const digest = digestOfSession(key);
    const signed = dialog ? dialogDigest(from, dialog, digest) : digest;
    const verdict = await this.verifier.check(signed, wallet.key, signature, wallet.isNewKey);
    if (verdict === undefined) return 'unknown';
    if (verdict === 'weakKey') return 'invalid_ton_nanopay_weak_key';
    return verdict === 'wrong' ? 'invalid_ton_nanopay_session' : undefined;
  }

  private remember(name: string): void {
    // The oldest go first: whose grant is still used has it checked once more.
    if (this.verified.size >= maxVerified) this.verified.delete(this.verified.values().next().value!);
    this.verified.add(name);
  }
}

const nameOf = (session: SessionKey, { key }: Wallet): string => session + key.toString('latin1');
