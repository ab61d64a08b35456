import { findChain } from '@tollbridge/chains';
import type { PaymentKind } from '../holding';
import { ReadFailure } from '../read-failure';

// Gas of a plain transfer, and of `pay` of the payment contract with two new receivers (libs/onchain README).
const gasOf: Readonly<Record<PaymentKind, bigint>> = { transfer: 21_000n, contractCall: 127_000n };
// Wallets reserve twice the base fee, so that the payment is still valid some blocks later.
const margin = 2n;
// Gas prices change by at most an eighth per block.
const cachedForMs = 10_000;

// Rollups that post to Ethereum charge for it in addition to gas. Since blobs this costs some cents at most, here
// 0.00003 ETH.
const postingFeeAtomic = 30_000_000_000_000n;

/** Calculates the transfer fee on an EVM chain. The gas price is cached for some seconds. */
export class CoinFee {
  private known: { atMs: number; gasPrice: Promise<bigint> } | null = null;

  constructor(
    private readonly chainId: number,
    private readonly askGasPrice: () => Promise<unknown>,
    private readonly clock: { now(): number } = Date,
  ) {}

  async feeAtomic(payment: PaymentKind): Promise<bigint> {
    const gasPrice = await this.gasPrice();
    const isRollup = findChain(`eip155:${this.chainId}`)?.isEthereumRollup === true;
    const postingFee = isRollup ? postingFeeAtomic : 0n;
    return gasPrice * gasOf[payment] * margin + postingFee;
  }

  private gasPrice(): Promise<bigint> {
    const nowMs = this.clock.now();
    if (this.known && nowMs - this.known.atMs < cachedForMs) return this.known.gasPrice;
    const asked = { atMs: nowMs, gasPrice: this.askGasPrice().then(readGasPrice) };
    this.known = asked;
    // Failures are not cached.
    asked.gasPrice.catch(() => {
      if (this.known === asked) this.known = null;
    });
    return asked.gasPrice;
  }
}

function readGasPrice(result: unknown): bigint {
  if (typeof result !== 'string' || !/^0x[0-9a-f]{1,32}$/i.test(result))
    throw new ReadFailure('eth_gasPrice is not a number');
  return BigInt(result);
}
