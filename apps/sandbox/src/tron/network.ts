/** Parameters of the network. The prices are those of Tron's main network in 2026. */
export interface TronNetwork {
  /** Sun per unit of energy. */
  energyPrice: bigint;
  /** Sun per byte. */
  bandwidthPrice: bigint;
  /** Bytes per day that an account sends without a fee. */
  freeBandwidth: bigint;
  /** The highest fee limit of a transaction, in sun. */
  maxFeeLimit: bigint;
  /** Sun for a transfer that activates a new account. */
  newAccountFee: bigint;
  /** A block is solid when this number of blocks follow it. */
  solidAfterBlocks: number;
}

export const mainNetwork: TronNetwork = {
  energyPrice: 100n,
  bandwidthPrice: 1_000n,
  freeBandwidth: 600n,
  maxFeeLimit: 15_000_000_000n,
  newAccountFee: 1_100_000n,
  solidAfterBlocks: 18,
};

/** Returns the parameters of `wallet/getchainparameters` that a client of a payment contract reads. */
export function chainParameters(network: TronNetwork): { key: string; value: bigint }[] {
  return [
    { key: 'getMaintenanceTimeInterval', value: 21_600_000n },
    { key: 'getTransactionFee', value: network.bandwidthPrice },
    { key: 'getCreateNewAccountFeeInSystemContract', value: 1_000_000n },
    { key: 'getEnergyFee', value: network.energyPrice },
    { key: 'getAllowCreationOfContracts', value: 1n },
    { key: 'getMaxCpuTimeOfOneTx', value: 80n },
    { key: 'getMaxFeeLimit', value: network.maxFeeLimit },
    { key: 'getFreeNetLimit', value: network.freeBandwidth },
    { key: 'getAllowTvmLondon', value: 1n },
    { key: 'getAllowDynamicEnergy', value: 1n },
    { key: 'getDynamicEnergyThreshold', value: 5_000_000_000n },
    { key: 'getDynamicEnergyIncreaseFactor', value: 2_000n },
    { key: 'getDynamicEnergyMaxFactor', value: 34_000n },
    { key: 'getAllowTvmShangHai', value: 1n },
    { key: 'getAllowTvmCancun', value: 1n },
  ];
}
