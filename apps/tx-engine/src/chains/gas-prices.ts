import type { EvmRpc } from '@tollbridge/chains';
import { unreadable } from './chain-failure';
import type { EvmChains } from './evm-chains';

/** Wei per gas, as a chain asks it now. */
export interface GasPrice {
  /** Burnt; null on a chain from before EIP-1559, where `tipPerGas` is the whole price. */
  baseFeePerGas: bigint | null;
  tipPerGas: bigint;
}

// Blocks of the fastest chains come several times in it; a quote need not be more exact.
const freshMs = 2_000;
// A node that asks more is not believed: it would be the user's money.
const maxTipShareOfBase = 4n;
const leastPlausibleTip = 50_000_000_000n;

/** What gas costs on each chain, read once for all who ask within two seconds. */
export class GasPrices {
  private readonly lastPerUnit = new Map<number, bigint>();
  private readonly known = new Map<number, { atMs: number; price: Promise<GasPrice> }>();

  constructor(
    private readonly chains: EvmChains,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** @throws RpcError when the chain does not answer. */
  of(chainId: number): Promise<GasPrice> {
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
  now(chainId: number): Promise<GasPrice> {
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

async function readGasPrice(rpc: EvmRpc): Promise<GasPrice> {
  const block = (await rpc.call('eth_getBlockByNumber', ['latest', false])) as {
    baseFeePerGas?: unknown;
  } | null;
  if (!block) throw unreadable('there is no newest block');
  const base = block.baseFeePerGas === undefined ? null : quantity(block.baseFeePerGas);
  if (base === null) return { baseFeePerGas: null, tipPerGas: quantity(await rpc.call('eth_gasPrice')) };
  const asked = quantity(await rpc.call('eth_maxPriorityFeePerGas'));
  const most = base * maxTipShareOfBase > leastPlausibleTip ? base * maxTipShareOfBase : leastPlausibleTip;
  return { baseFeePerGas: base, tipPerGas: asked < most ? asked : most };
}

function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,32}$/.test(value))
    throw unreadable('a gas price is no quantity');
  return BigInt(value);
}
