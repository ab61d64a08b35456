import type { ChainPrices } from '../chain-prices';

// Energy of `approve`, and of `pay` with two receivers that never owned the token. Measured on the local network: see
// README.md.
const approveEnergy = 25_000n;
const payEnergy = 110_000n;
// Energy of `transfer` to a receiver that never owned the token.
const transferEnergy = 35_000n;
// Size of a payment in a token: both transactions with their signatures and results.
const paymentBytes = 1_400n;
const factorUnit = 10_000n;
// Margin for energy that the local network does not model, and for a factor that increases before the payer signs.
const marginPercent = 130n;

/** Returns the energy of one payment and of one transfer, given the factor of the token (`TronNode.energyFactor`). */
export const paymentEnergy = (factor: bigint): { approve: bigint; pay: bigint; transfer: bigint } => ({
  approve: (approveEnergy * (factorUnit + factor)) / factorUnit,
  pay: (payEnergy * (factorUnit + factor)) / factorUnit,
  transfer: (transferEnergy * (factorUnit + factor)) / factorUnit,
});

/**
 * Returns the fee limit in sun for a call that needs this energy. A call that needs more fails and burns the whole
 * limit.
 */
export function feeLimit(energy: bigint, { energyAtomic, maxFeeLimitAtomic }: ChainPrices): bigint {
  const limit = (energy * energyAtomic * marginPercent) / 100n;
  return limit < maxFeeLimitAtomic ? limit : maxFeeLimitAtomic;
}

/** Returns the cost of a payment in sun for an account without staked resources. */
export function paymentCost(factor: bigint, { energyAtomic, byteAtomic }: ChainPrices): bigint {
  const { approve, pay } = paymentEnergy(factor);
  return (approve + pay) * energyAtomic + paymentBytes * byteAtomic;
}
