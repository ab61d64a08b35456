import { openSimulators, type OpenSimulatorsOptions } from '../simulators/open-simulators';
import type { OutageMode } from '../simulators/outage';
import { simulatorPaths } from '../simulators/simulators';
import type { RateChange } from '../rates/rate-table';
import { generateTxHash } from './deposit-address';

export type OneClickOptions = OpenSimulatorsOptions;

export interface DepositName {
  depositAddress: string;
  depositMemo?: string | undefined;
}

export interface RunningOneClick {
  /** The URL that replaces the provider's base URL. */
  url: string;
  defillamaUrl: string;
  ecbUrl: string;
  openExchangeRatesUrl: string;
  publicKey: string;
  setPrice(symbol: string, usd: string, frozenAt?: Date): Promise<void>;
  setRate(change: RateChange): void;
  outage(mode: OutageMode): void;
  /** Moves the deadline of a committed quote to now. */
  pastDeadline(deposit: DepositName): Promise<void>;
  /** Records the payer's transfer on a chain without a local node. Returns its generated hash. */
  deposit(deposit: DepositName, amountAtomic: bigint): Promise<string>;
  close(): Promise<void>;
}

/** Starts the simulator in the process of a test, with a separate database and nodes. */
export async function startOneClick(options: OneClickOptions): Promise<RunningOneClick> {
  const { simulators, address, clock, setPrice, setRate, close } = await openSimulators(options);
  const swapOf = async ({ depositAddress, depositMemo = '' }: DepositName) => {
    const swap = await simulators.swaps.find(depositAddress, depositMemo);
    if (!swap) throw new Error(`There is no committed quote with the deposit address ${depositAddress}`);
    return swap;
  };
  return {
    url: address + simulatorPaths.oneclick,
    defillamaUrl: address + simulatorPaths.defillama,
    ecbUrl: address + simulatorPaths.ecb,
    openExchangeRatesUrl: address + simulatorPaths.openexchangerates,
    publicKey: simulators.signer.publicKey,
    setPrice,
    setRate,
    outage: (mode) => void (simulators.outages.oneclick.mode = mode),
    pastDeadline: async (deposit) => simulators.swaps.setDeadline((await swapOf(deposit)).id, clock.now()),
    async deposit(deposit, amountAtomic) {
      const swap = await swapOf(deposit);
      const txHash = generateTxHash(swap.origin.chain);
      await simulators.swaps.addToLedger(swap.id, amountAtomic, txHash, clock.now());
      return txHash;
    },
    close,
  };
}
