import { maxAmountAtomic, type PresentedChain } from './payment-header';
import { sha256 } from './sha256';
import { isGrantTime } from './session-grant';
import { digestOf, flags, hashChainGrantBytes, type PaymentTerms, type Scope } from './signed-bytes';

/** This number of hashes costs no more than one signature verification. */
export const maxHashesPerPayment = 50;

/** The digest that the wallet signs. It identifies the grant. */
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

/** Whether a grant allows this payment now. Does not verify the link. */
export function doesChainAllow(
  chain: PresentedChain,
  terms: Pick<PaymentTerms, 'flags' | 'amountAtomic'>,
  nowS: number,
): boolean {
  const { unitAtomic, length, index } = chain;
  if (!isGrantTime(chain, nowS)) return false;
  if (unitAtomic < 1n || index < 1 || index > length || unitAtomic * BigInt(length) > maxAmountAtomic)
    return false;
  // A link covers no resource and has a fixed value.
  if (terms.flags !== flags.hashChain || terms.amountAtomic % unitAtomic !== 0n) return false;
  return terms.amountAtomic / unitAtomic <= BigInt(maxHashesPerPayment);
}

/** Hashes a link `times` times. The result is an earlier link or the anchor. */
export function hashed(link: Buffer, times: number): Buffer {
  let value = link;
  for (let done = 0; done < times; done++) value = sha256(value);
  return value;
}
