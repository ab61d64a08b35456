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
  type Refusal,
} from '@tollbridge/nanopay-protocol';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { dialogDomainsOf, type TeeConfig } from '../config';
import { Verifier, type Verdict } from '../verification/verifier';
import type { CheckedPayment } from './ledger';
import { digestOfSession, type SessionKey } from './sessions';

// Agents that pay at the same time; of each 64 bytes are kept.
const maxVerified = 100_000;
const unchained = 'invalid_ton_nanopay_hash_chain';

interface Wallet {
  key: Buffer;
  isNewKey: boolean;
}

type Objection = Refusal | 'unknown' | undefined;

/**
 * Whether a payment comes from who pays: signed by his wallet, or under a grant that this has signed once. Then the key of
 * a session signs each payment, or each reveals a link of a chain of hashes.
 */
@Injectable()
export class PaymentProofs {
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

  /** Nobody knows where no thread could look at it. */
  objectionTo(
    item: ChargeItem,
    terms: PaymentTerms,
    checked: CheckedPayment,
    wallet: Wallet,
  ): Promise<Objection> {
    if (item.session) return this.objectionToSession(item, terms, checked, wallet);
    if (item.chain) return this.objectionToChain(item, terms, checked, wallet);
    return this.objectionToSignature(item, terms, checked, wallet);
  }

  private async objectionToSignature(
    { dialog, signature }: ChargeItem,
    terms: PaymentTerms,
    { digest }: CheckedPayment,
    { key, isNewKey }: Wallet,
  ): Promise<Objection> {
    if (dialog && !this.domains.has(dialog.domain)) return 'invalid_ton_nanopay_signature';
    const signed = dialog ? dialogDigest(terms.from, dialog, digest) : digest;
    return objectionOf(await this.verifier.check(signed, key, signature, isNewKey));
  }

  /** Beside what was spent under the grant before: the ledger knows that. */
  private async objectionToSession(
    { session: grant, dialog, signature }: ChargeItem,
    terms: PaymentTerms,
    { digest, session }: CheckedPayment,
    wallet: Wallet,
  ): Promise<Objection> {
    // An agent's key has no wallet that could show a dialog.
    if (!grant || !session || dialog || !doesGrantAllow(grant, terms, this.clock.now() / 1000))
      return 'invalid_ton_nanopay_session';
    const name = nameOf(session.key, wallet);
    const isVerified = this.verified.has(name);
    const objection = isVerified ? undefined : await this.objectionToGrant(grant, session.key, terms, wallet);
    if (objection) return objection;
    const verdict = await this.verifier.check(digest, grant.publicKey, signature, !isVerified);
    if (verdict === 'right' && !isVerified) this.remember(name);
    return objectionOf(verdict);
  }

  /** Whether the link is of the chain, the ledger knows. */
  private async objectionToChain(
    { chain, dialog, signature }: ChargeItem,
    terms: PaymentTerms,
    { session }: CheckedPayment,
    wallet: Wallet,
  ): Promise<Objection> {
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
  ): Promise<Objection> {
    const { dialog, signature } = grant;
    const nowS = this.clock.now() / 1000;
    if (!isDialogOfGrant(grant, this.domains, nowS, maxDialogSkewS)) return 'invalid_ton_nanopay_session';
    const digest = digestOfSession(key);
    const signed = dialog ? dialogDigest(from, dialog, digest) : digest;
    const verdict = await this.verifier.check(signed, wallet.key, signature, wallet.isNewKey);
    return objectionOf(verdict, 'invalid_ton_nanopay_session');
  }

  private remember(name: string): void {
    // The oldest go first: whose grant is still used has it checked once more.
    if (this.verified.size >= maxVerified) this.verified.delete(this.verified.values().next().value!);
    this.verified.add(name);
  }
}

const nameOf = (session: SessionKey, { key }: Wallet): string => session + key.toString('latin1');

function objectionOf(
  verdict: Verdict | undefined,
  ifWrong: Refusal = 'invalid_ton_nanopay_signature',
): Objection {
  if (verdict === undefined) return 'unknown';
  if (verdict === 'weakKey') return 'invalid_ton_nanopay_weak_key';
  return verdict === 'wrong' ? ifWrong : undefined;
}
