/** Parameters of the network; the prices are those of Tron's main network in 2026. */
export interface TronNetwork {
  /** Sun for a unit of energy. */
  energyPrice: bigint;
  /** Sun for a byte. */
  bandwidthPrice: bigint;
  /** Bytes that an account sends without a fee a day. */
  freeBandwidth: bigint;
  /** The highest fee limit of a transaction, in sun. */
  maxFeeLimit: bigint;
  /** Sun for a transfer to an account that does not exist yet. */
  newAccountFee: bigint;
  /** A block is solid with this number of blocks after it. */
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

/** As `wallet/getchainparameters` lists them, the ones that a client of a payment contract reads. */
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
