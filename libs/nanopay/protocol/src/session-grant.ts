import type { PresentedSession } from './payment-header';
import { maxSkewS } from './price';
import { digestOf, sessionGrantBytes, type PaymentTerms, type Scope } from './signed-bytes';

/** A year: longer, nobody remembers whom he has let pay. */
export const maxGrantLifeS = 366 * 86_400;

/** What the wallet has signed, and the name of the grant. */
export function sessionGrantDigest(
  { networkId, verifyingContract, asset, from }: Scope,
  { publicKey: sessionKey, ...grant }: Omit<PresentedSession, 'signature' | 'dialog'>,
): Buffer {
  return digestOf(sessionGrantBytes({ networkId, verifyingContract, asset, from }, { sessionKey, ...grant }));
}

/** Whether a grant is valid now, and not for ever. */
export function isGrantTime(
  { validAfterS, validBeforeS }: Pick<PresentedSession, 'validAfterS' | 'validBeforeS'>,
  nowS: number,
): boolean {
  const [now, skew] = [BigInt(Math.floor(nowS)), BigInt(maxSkewS)];
  if (validAfterS > now + skew || validBeforeS + skew <= now) return false;
  return validBeforeS > validAfterS && validBeforeS - validAfterS <= BigInt(maxGrantLifeS);
}

/** Whether a grant allows this payment now. What was spent under it before, and who has signed it, is not asked here. */
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
 * Whether a wallet may have signed the grant in a dialog at the time that it names. Grants outlive dialogs: it may be long
 * ago, but neither to come nor after their end.
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
