import { hashed, maxHashesPerPayment, type Rejection } from '@tollbridge/nanopay-protocol';
import type { ChainStep } from './payment';
import type { Session } from './sessions';

/** Verifies the amount: a step is worth the number of links since the last revealed link. */
export function checkStep(
  { index, unitAtomic }: ChainStep,
  { spentAtomic }: Session,
  chargeAtomic: bigint,
): Rejection | undefined {
  const worthAtomic = BigInt(index) * unitAtomic - spentAtomic;
  if (worthAtomic <= 0n) return 'duplicate_settlement';
  return worthAtomic === chargeAtomic ? undefined : 'invalid_ton_nanopay_amount_mismatch';
}

/** Whether the link hashes to the last revealed link, or is an earlier link of the same chain. */
export function isOfChain(
  { index, link, unitAtomic }: ChainStep,
  { link: last, spentAtomic }: Session,
): boolean {
  const ahead = index - Number(spentAtomic / unitAtomic);
  if (!last || Math.abs(ahead) > maxHashesPerPayment) return false;
  return ahead >= 0 ? hashed(link, ahead).equals(last) : hashed(last, -ahead).equals(link);
}
