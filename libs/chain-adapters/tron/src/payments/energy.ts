import type { ChainPrices } from '../chain-prices';

// `approve`, and `pay` with two receivers that never held the token, by the model of the local network: see README.md.
const approveEnergy = 25_000n;
const payEnergy = 110_000n;
// `transfer` to a receiver that never held the token.
const transferEnergy = 35_000n;
// Size of a payment in a token: both transactions with their signatures and results.
const paymentBytes = 1_400n;
const factorUnit = 10_000n;
// Margin for energy that the local network does not model, and for a factor that rises before the payer signs.
const marginPercent = 130n;

/** The energy of one payment and of one transfer, by the factor of its token (`TronNode.energyFactor`). */
export const paymentEnergy = (factor: bigint): { approve: bigint; pay: bigint; transfer: bigint } => ({
  approve: (approveEnergy * (factorUnit + factor)) / factorUnit,
  pay: (payEnergy * (factorUnit + factor)) / factorUnit,
  transfer: (transferEnergy * (factorUnit + factor)) / factorUnit,
});

/** Fee limit in sun for a call that needs this energy. A call that needs more fails, and burns the whole limit. */
export function feeLimit(energy: bigint, { energyAtomic, maxFeeLimitAtomic }: ChainPrices): bigint {
  const limit = (energy * energyAtomic * marginPercent) / 100n;
  return limit < maxFeeLimitAtomic ? limit : maxFeeLimitAtomic;
}

/** Cost of a payment in sun for an account without staked resources. */
export function paymentCost(factor: bigint, { energyAtomic, byteAtomic }: ChainPrices): bigint {
  const { approve, pay } = paymentEnergy(factor);
  return (approve + pay) * energyAtomic + paymentBytes * byteAtomic;
}
