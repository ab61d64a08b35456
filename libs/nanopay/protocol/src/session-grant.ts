import type { PresentedSession } from './payment-header';
import { maxSkewS } from './price';
import { digestOf, sessionGrantBytes, type PaymentTerms, type Scope } from './signed-bytes';

/** One year, so that an abandoned grant expires. */
export const maxGrantLifeS: number = 366 * 86_400;

/** The digest that the wallet signs. It identifies the grant. */
export function sessionGrantDigest(
  { networkId, verifyingContract, asset, from }: Scope,
  { publicKey: sessionKey, ...grant }: Omit<PresentedSession, 'signature' | 'dialog'>,
): Buffer {
  return digestOf(sessionGrantBytes({ networkId, verifyingContract, asset, from }, { sessionKey, ...grant }));
}

/** Whether a grant is valid now, and for no longer than allowed. */
export function isGrantTime(
  { validAfterS, validBeforeS }: Pick<PresentedSession, 'validAfterS' | 'validBeforeS'>,
  nowS: number,
): boolean {
  const [now, skew] = [BigInt(Math.floor(nowS)), BigInt(maxSkewS)];
  if (validAfterS > now + skew || validBeforeS + skew <= now) return false;
  return validBeforeS > validAfterS && validBeforeS - validAfterS <= BigInt(maxGrantLifeS);
}

/** Whether a grant allows this payment now. Checks neither the signature nor the amount that was already spent. */
export function doesGrantAllow(
  grant: PresentedSession,
  terms: Pick<PaymentTerms, 'to' | 'amountAtomic'>,
  nowS: number,
): boolean {
  const { to, maxPerPaymentAtomic } = grant;
  if (!isGrantTime(grant, nowS)) return false;
  return (to === undefined || to === terms.to) && terms.amountAtomic <= maxPerPaymentAtomic;
}

/**
 * Whether the time of the wallet dialog fits the grant. It may be long past, but not in the future or after the end of
 * the grant.
 */
export function isDialogOfGrant(
  { dialog, validBeforeS }: Pick<PresentedSession, 'dialog' | 'validBeforeS'>,
  domains: ReadonlySet<string>,
  nowS: number,
  maxDialogSkewS: number,
): boolean {
  if (!dialog) return true;
  const { domain, timestampS } = dialog;
  return domains.has(domain) && timestampS <= nowS + maxDialogSkewS && BigInt(timestampS) < validBeforeS;
}
