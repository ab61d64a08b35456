import { readGasPrice, type GasTerms } from '@tollbridge/evm';
import type { EvmChains } from './evm-chains';

// Blocks of the fastest chains come several times in it; a quote need not be more exact.
const freshMs = 2_000;
/** What gas costs on each chain, read once for all who ask within two seconds. */
export class GasPrices {
  private readonly lastPerUnit = new Map<number, bigint>();
  private readonly known = new Map<number, { atMs: number; price: Promise<GasTerms> }>();

  constructor(
    private readonly chains: EvmChains,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** @throws RpcError when the chain does not answer. */
  of(chainId: number): Promise<GasTerms> {
    const known = this.known.get(chainId);
    if (known && this.nowMs() - known.atMs < freshMs) return known.price;
    const price = readGasPrice(this.chains.rpc(chainId));
    const entry = { atMs: this.nowMs(), price };
    this.known.set(chainId, entry);
    // A failure is not remembered.
    price.catch(() => this.known.get(chainId) === entry && this.known.delete(chainId));
    return price;
  }

  /** The same as of this moment, for what is about to be sent. @throws RpcError when the chain does not answer. */
  now(chainId: number): Promise<GasTerms> {
    this.known.delete(chainId);
    return this.of(chainId);
  }

  /** Wei that a unit of gas will cost about now. @throws RpcError when the chain does not answer. */
  async perUnit(chainId: number): Promise<bigint> {
    const { baseFeePerGas, tipPerGas } = await this.of(chainId);
    const perUnit = (baseFeePerGas ?? 0n) + tipPerGas;
    this.lastPerUnit.set(chainId, perUnit);
    return perUnit;
  }

  /** The same, as it was last read. */
  last(chainId: number): bigint | undefined {
    return this.lastPerUnit.get(chainId);
  }
}
