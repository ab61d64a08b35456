import type { TronNetwork } from './network';

const dayMs = 86_400_000n;

interface Usage {
  bytes: bigint;
  atMs: number;
}

/** The bytes that accounts sent without a fee. Usage decays evenly over a day, as on Tron. */
export class AccountBandwidth {
  private readonly usages = new Map<string, Usage>();

  constructor(private readonly network: TronNetwork) {}

  used(account: string, nowMs: number): bigint {
    const usage = this.usages.get(account);
    if (!usage) return 0n;
    const elapsed = BigInt(Math.max(0, nowMs - usage.atMs));
    return elapsed >= dayMs ? 0n : (usage.bytes * (dayMs - elapsed)) / dayMs;
  }

  /** The fee in sun for a transaction of this size: zero when it fits into what is left of the day. */
  feeOf(account: string, bytes: bigint, nowMs: number): bigint {
    const isFree = this.used(account, nowMs) + bytes <= this.network.freeBandwidth;
    return isFree ? 0n : bytes * this.network.bandwidthPrice;
  }

  use(account: string, bytes: bigint, nowMs: number): void {
    this.usages.set(account, { bytes: this.used(account, nowMs) + bytes, atMs: nowMs });
  }
}
