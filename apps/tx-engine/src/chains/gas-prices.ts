import { readGasPrice, type GasTerms } from '@tollbridge/evm';
import type { EvmChains } from './evm-chains';

// Several blocks of the fastest chains. Quotes need no higher precision.
const freshMs = 2_000;

/** The gas price of each chain, cached for two seconds. */
export class GasPrices {
  private readonly lastPerUnit = new Map<number, bigint>();
  private readonly known = new Map<number, { atMs: number; price: Promise<GasTerms> }>();

  constructor(
    private readonly chains: EvmChains,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** @throws RpcError if the node fails */
  of(chainId: number): Promise<GasTerms> {
    const known = this.known.get(chainId);
    if (known && this.nowMs() - known.atMs < freshMs) return known.price;
    const price = readGasPrice(this.chains.rpc(chainId));
    const entry = { atMs: this.nowMs(), price };
    this.known.set(chainId, entry);
    // Failures are not cached.
    price.catch(() => this.known.get(chainId) === entry && this.known.delete(chainId));
    return price;
  }

  /** Reads the price without the cache, for transactions that are sent now. @throws RpcError if the node fails */
  now(chainId: number): Promise<GasTerms> {
    this.known.delete(chainId);
    return this.of(chainId);
  }

  /** Returns the expected price in wei per gas. @throws RpcError if the node fails */
  async perUnit(chainId: number): Promise<bigint> {
    const { baseFeePerGas, tipPerGas } = await this.of(chainId);
    const perUnit = (baseFeePerGas ?? 0n) + tipPerGas;
    this.lastPerUnit.set(chainId, perUnit);
    return perUnit;
  }

  /** Returns the price that `perUnit` read last. */
  last(chainId: number): bigint | undefined {
    return this.lastPerUnit.get(chainId);
  }
}
