import { maxAmountAtomic, type PresentedChain } from './payment-header';
import { sha256 } from './sha256';
import { isGrantTime } from './session-grant';
import { digestOf, flags, hashChainGrantBytes, type PaymentTerms, type Scope } from './signed-bytes';

/** This many hashes cost no more than one signature check. */
export const maxHashesPerPayment = 50;

/** The digest that the wallet signs; it identifies the grant. */
export const hashChainGrantDigest = (
  { networkId, verifyingContract, asset, from }: Scope,
  to: string,
  { unitAtomic, length, anchor, validAfterS, validBeforeS, nonce }: Omit<PresentedChain, 'index' | 'link'>,
): Buffer =>
  digestOf(
    hashChainGrantBytes(
      { networkId, verifyingContract, asset, from },
      { to, unitAtomic, length, anchor, validAfterS, validBeforeS, nonce },
    ),
  );

/** Whether a grant allows this payment now. Does not check the link. */
export function doesChainAllow(
  chain: PresentedChain,
  terms: Pick<PaymentTerms, 'flags' | 'amountAtomic'>,
  nowS: number,
): boolean {
  const { unitAtomic, length, index } = chain;
  if (!isGrantTime(chain, nowS)) return false;
  if (unitAtomic < 1n || index < 1 || index > length || unitAtomic * BigInt(length) > maxAmountAtomic)
    return false;
  // A link binds no resource and has a fixed value.
  if (terms.flags !== flags.hashChain || terms.amountAtomic % unitAtomic !== 0n) return false;
  return terms.amountAtomic / unitAtomic <= BigInt(maxHashesPerPayment);
}

/** Hashes a link `times` times: an earlier link, and finally the anchor. */
export function hashed(link: Buffer, times: number): Buffer {
  let value = link;
  for (let done = 0; done < times; done++) value = sha256(value);
  return value;
}
