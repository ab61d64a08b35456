import { randomBytes } from 'node:crypto';
import { sessionGrantDigest } from '@tollbridge/nanopay-protocol';
import {
  accountReader,
  amountOf,
  grantScope,
  grantWindow,
  networkOf,
  requireScope,
  signatureMember,
  unpayable,
  type GrantingWallet,
  type GrantOptions,
  type GrantScope,
  type SignatureMember,
} from './granting';
import type { Payable } from './payable';

export interface SessionGrantOptions extends GrantOptions {
  /** Public key of the agent: 32 bytes, or 64 hexadecimal digits. */
  sessionPublicKey: Uint8Array | string;
  /** The only seller that may be paid. Any seller if absent. */
  to?: string;
  /** In the smallest unit of the asset. */
  maxPerPayment: bigint | string;
  maxTotal: bigint | string;
}

/** Member `session` of an authorization. It is a type, because an interface is not assignable to a record. */
export type SessionMember = SignatureMember & {
  publicKey: string;
  to?: string;
  maxPerPayment: string;
  maxTotal: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
};

/** The grant that an agent needs besides its key. It is JSON and not secret, because it is useless without the key. */
export interface SessionGrant extends GrantScope {
  session: SessionMember;
}

type GrantTerms = Parameters<typeof sessionGrantDigest>[1];

/**
 * Has a wallet sign a grant for the key of an agent. The grant sets the validity, the seller, and limits per payment
 * and in total.
 */
export async function createSessionGrant(
  wallet: GrantingWallet,
  options: SessionGrantOptions,
): Promise<SessionGrant> {
  const scope = grantScope(wallet, options);
  const network = networkOf(options);
  const terms = termsOf(options);
  const signed = await wallet.sign(sessionGrantDigest({ ...scope, networkId: network.globalId }, terms));
  return { ...scope, session: { ...memberOf(terms), ...signatureMember(signed) } };
}

function termsOf(options: SessionGrantOptions): GrantTerms {
  const { sessionPublicKey: key, to, maxPerPayment, maxTotal } = options;
  const publicKey = typeof key === 'string' ? Buffer.from(key, 'hex') : Buffer.from(key);
  if (publicKey.length !== 32) throw new TypeError('sessionPublicKey has 32 bytes.');
  return {
    publicKey,
    to: to === undefined ? undefined : accountReader(networkOf(options))(to, 'to'),
    maxPerPaymentAtomic: amountOf(maxPerPayment, 'maxPerPayment'),
    maxTotalAtomic: amountOf(maxTotal, 'maxTotal'),
    ...grantWindow(options),
    nonce: randomBytes(32),
  };
}

const memberOf = (terms: GrantTerms) => ({
  publicKey: terms.publicKey.toString('hex'),
  ...(terms.to !== undefined && { to: terms.to }),
  maxPerPayment: terms.maxPerPaymentAtomic.toString(),
  maxTotal: terms.maxTotalAtomic.toString(),
  validAfter: terms.validAfterS.toString(),
  validBefore: terms.validBeforeS.toString(),
  nonce: terms.nonce.toString('hex'),
});

/** @throws UnpayableOfferError if the ledger service would reject this payment under the grant */
export function requireGranted(grant: SessionGrant, payment: Payable, nowMs: number): void {
  const { to, maxPerPayment, validBefore: validBeforeS } = grant.session;
  requireScope('session grant', grant, payment, { to, validBeforeS, nowMs });
  if (payment.amountAtomic > BigInt(maxPerPayment)) unpayable('session grant', 'for smaller payments');
}
