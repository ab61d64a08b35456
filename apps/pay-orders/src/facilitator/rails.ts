import type { SettlementRail } from './settlement-rail';

/** The chains where payments are settled. */
export class Rails {
  readonly all: readonly SettlementRail[];

  constructor(rails: readonly (SettlementRail | undefined)[]) {
    this.all = rails.filter((rail) => rail !== undefined).filter(({ isActive }) => isActive);
  }

  get isActive(): boolean {
    return this.all.length > 0;
  }

  find(network: unknown): SettlementRail | undefined {
    return this.all.find((rail) => rail.has(network));
  }

  /** @throws Error for a network that is not configured any more */
  get(network: string): SettlementRail {
    const rail = this.find(network);
    if (!rail) throw new Error(`the chain ${network} of a settlement is not configured`);
    return rail;
  }
}
