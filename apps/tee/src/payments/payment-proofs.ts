import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
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
  type Rejection,
} from '@tollbridge/nanopay-protocol';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { dialogDomainsOf, type TeeConfig } from '../config';
import { Verifier, type Verdict } from '../verification/verifier';
import type { CheckedPayment } from '../ledger/rules/payment';
import { digestOfSession, type SessionKey } from '../ledger/rules/sessions';

// Maximum of cached grants, of 64 bytes each.
const maxVerified = 100_000;
const wrongChain = 'invalid_ton_nanopay_hash_chain';

interface Wallet {
  key: Buffer;
  isNewKey: boolean;
}

type ProofRejection = Rejection | 'unknown' | undefined;

/**
 * Verifies that the payer authorised a payment: by a signature of the wallet, or by a grant that the wallet signed.
 * Under a grant, a session key signs each payment, or each payment reveals a link of a hash chain.
 */
@Injectable()
export class PaymentProofs {
  /**
   * Verified grants by session and wallet key, because the key of a wallet may change. Their session keys are not weak.
   */
  private readonly verified = new Set<string>();
  private readonly domains: ReadonlySet<string>;

  constructor(
    private readonly verifier: Verifier,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) config: TeeConfig,
  ) {
    this.domains = dialogDomainsOf(config);
  }

  /** @returns the reason of the rejection; `unknown` when no verifier thread could verify the signature */
  check(
    item: ChargeItem,
    terms: PaymentTerms,
    checked: CheckedPayment,
    wallet: Wallet,
  ): Promise<ProofRejection> {
    if (item.session) return this.checkSession(item, terms, checked, wallet);
    if (item.chain) return this.checkChain(item, terms, checked, wallet);
    return this.checkSignature(item, terms, checked, wallet);
  }

  private async checkSignature(
    { dialog, signature }: ChargeItem,
    terms: PaymentTerms,
    { digest }: CheckedPayment,
    { key, isNewKey }: Wallet,
  ): Promise<ProofRejection> {
    if (dialog && !this.domains.has(dialog.domain)) return 'invalid_ton_nanopay_signature';
    const signed = dialog ? dialogDigest(terms.from, dialog, digest) : digest;
    return rejectionOf(await this.verifier.check(signed, key, signature, isNewKey));
  }

  /** Verifies a session payment, except the total of the grant, which the ledger verifies. */
  private async checkSession(
    { session: grant, dialog, signature }: ChargeItem,
    terms: PaymentTerms,
    { digest, session }: CheckedPayment,
    wallet: Wallet,
  ): Promise<ProofRejection> {
    // A session key signs without a wallet dialog.
    if (!grant || !session || dialog || !doesGrantAllow(grant, terms, this.clock.now() / 1000))
      return 'invalid_ton_nanopay_session';
    const name = nameOf(session.key, wallet);
    const isVerified = this.verified.has(name);
    const rejection = isVerified ? undefined : await this.checkGrant(grant, session.key, terms, wallet);
    if (rejection) return rejection;
    const verdict = await this.verifier.check(digest, grant.publicKey, signature, !isVerified);
    if (verdict === 'right' && !isVerified) this.addVerified(name);
    return rejectionOf(verdict);
  }

  /** Verifies a hash-chain payment, except that the link belongs to the chain, which the ledger verifies. */
  private async checkChain(
    { chain, dialog, signature }: ChargeItem,
    terms: PaymentTerms,
    { session }: CheckedPayment,
    wallet: Wallet,
  ): Promise<ProofRejection> {
    if (!chain || !session || !doesChainAllow(chain, terms, this.clock.now() / 1000)) return wrongChain;
    if (!terms.nonce.equals(linkNonce(digestOfSession(session.key), chain.index))) return wrongChain;
    const name = nameOf(session.key, wallet);
    if (this.verified.has(name)) return undefined;
    const grant = { dialog, signature, validBeforeS: chain.validBeforeS };
    const rejection = await this.checkGrant(grant, session.key, terms, wallet);
    if (rejection) return rejection === 'invalid_ton_nanopay_session' ? wrongChain : rejection;
    this.addVerified(name);
    return undefined;
  }

  private async checkGrant(
    grant: Pick<PresentedSession, 'dialog' | 'signature' | 'validBeforeS'>,
    key: SessionKey,
    { from }: PaymentTerms,
    wallet: Wallet,
  ): Promise<ProofRejection> {
    const { dialog, signature } = grant;
    const nowS = this.clock.now() / 1000;
    if (!isDialogOfGrant(grant, this.domains, nowS, maxDialogSkewS)) return 'invalid_ton_nanopay_session';
    const digest = digestOfSession(key);
    const signed = dialog ? dialogDigest(from, dialog, digest) : digest;
    const verdict = await this.verifier.check(signed, wallet.key, signature, wallet.isNewKey);
    return rejectionOf(verdict, 'invalid_ton_nanopay_session');
  }

  private addVerified(name: string): void {
    // Removes the oldest grant. A grant that is still in use is then verified again.
    if (this.verified.size >= maxVerified) this.verified.delete(this.verified.values().next().value!);
    this.verified.add(name);
  }
}

const nameOf = (session: SessionKey, { key }: Wallet): string => session + key.toString('latin1');

function rejectionOf(
  verdict: Verdict | undefined,
  ifWrong: Rejection = 'invalid_ton_nanopay_signature',
): ProofRejection {
  if (verdict === undefined) return 'unknown';
  if (verdict === 'weakKey') return 'invalid_ton_nanopay_weak_key';
  return verdict === 'wrong' ? ifWrong : undefined;
}
