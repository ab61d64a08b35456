import type { TronNetwork } from './network';
import type { Transactions } from './transactions';

const dayMs = 86_400_000;

/** The bytes that accounts sent without a fee. Usage decays linearly over a day, as on Tron. */
export class AccountBandwidth {
  constructor(
    private readonly network: TronNetwork,
    private readonly transactions: Pick<Transactions, 'freeUses'>,
  ) {}

  async used(account: string, nowMs: number): Promise<bigint> {
    const uses = await this.transactions.freeUses(account, nowMs - dayMs);
    let usage = { bytes: 0n, atMs: nowMs };
    for (const { bytes, atMs } of uses) usage = { bytes: decayed(usage, atMs) + bytes, atMs };
    return decayed(usage, nowMs);
  }

  /** Returns the fee in sun for a transaction of this size; zero when it fits into the remaining free bandwidth. */
  async feeOf(account: string, bytes: bigint, nowMs: number): Promise<bigint> {
    const isFree = (await this.used(account, nowMs)) + bytes <= this.network.freeBandwidth;
    return isFree ? 0n : bytes * this.network.bandwidthPrice;
  }
}

function decayed({ bytes, atMs }: { bytes: bigint; atMs: number }, nowMs: number): bigint {
  const elapsed = BigInt(Math.max(0, nowMs - atMs));
  return elapsed >= dayMs ? 0n : (bytes * (BigInt(dayMs) - elapsed)) / BigInt(dayMs);
}
