import { maxAmountAtomic, type PresentedChain } from './payment-header';
import { sha256 } from './sha256';
import { isGrantTime } from './session-grant';
import { digestOf, flags, hashChainGrantBytes, type PaymentTerms, type Scope } from './signed-bytes';

/** So many hashes cost no more than one signature. */
export const maxHashesPerPayment = 50;

/** What the wallet has signed, and the name of the grant. */
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

/** Whether a grant allows this payment now. Whether the link is of the chain, and which was the last, is not asked here. */
export function doesChainAllow(
  chain: PresentedChain,
  terms: Pick<PaymentTerms, 'flags' | 'amountAtomic'>,
  nowS: number,
): boolean {
  const { unitAtomic, length, index } = chain;
  if (!isGrantTime(chain, nowS)) return false;
  if (unitAtomic < 1n || index < 1 || index > length || unitAtomic * BigInt(length) > maxAmountAtomic)
    return false;
  // A link says nothing of a resource, and is worth what it is worth.
  if (terms.flags !== flags.hashChain || terms.amountAtomic % unitAtomic !== 0n) return false;
  return terms.amountAtomic / unitAtomic <= BigInt(maxHashesPerPayment);
}

/** What comes of hashing a link so many times: the link that was revealed before it, and in the end the anchor. */
export function hashed(link: Buffer, times: number): Buffer {
  let value = link;
  for (let done = 0; done < times; done++) value = sha256(value);
  return value;
}
