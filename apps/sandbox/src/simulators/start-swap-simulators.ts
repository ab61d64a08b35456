import { openSimulators, type OpenSimulatorsOptions } from './open-simulators';
import type { OutageMode } from './outage';
import { simulatorPaths, type LocalChainOptions } from './simulators';

export interface SwapSimulatorsOptions extends OpenSimulatorsOptions {
  chains: readonly (LocalChainOptions & Required<Pick<LocalChainOptions, 'uniswapV3' | 'across'>>)[];
}

export interface RunningSwapSimulators {
  /** The URLs that replace the providers' base URLs. */
  acrossUrl: string;
  lifiUrl: string;
  defillamaUrl: string;
  setPrice(symbol: string, usd: string, frozenAt?: Date): Promise<void>;
  outage(provider: 'across' | 'lifi', mode: OutageMode): void;
  close(): Promise<void>;
}

/** Starts the Across and LI.FI simulators in the process of a test, with the relayer that fills deposits. */
export async function startSwapSimulators(options: SwapSimulatorsOptions): Promise<RunningSwapSimulators> {
  const { simulators, address, setPrice, close } = await openSimulators(options);
  return {
    acrossUrl: address + simulatorPaths.across,
    lifiUrl: address + simulatorPaths.lifi,
    defillamaUrl: address + simulatorPaths.defillama,
    setPrice,
    outage: (provider, mode) => void (simulators.outages[provider].mode = mode),
    close,
  };
}
