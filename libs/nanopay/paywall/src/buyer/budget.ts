export interface BudgetLimits {
  maxPerPaymentAtomic: bigint;
  maxTotalAtomic: bigint;
  /** The total resets after this time; never if absent. */
  periodMs: number | undefined;
}

/** The spending limits of a buyer. An amount counts from before its signature until it is known not to be charged. */
export class Budget {
  private spentAtomic = 0n;
  private period = 0;
  private startedMs: number;

  constructor(
    private readonly limits: BudgetLimits,
    private readonly clock: () => number,
  ) {
    this.startedMs = clock();
  }

  get spent(): bigint {
    this.beginPeriod();
    return this.spentAtomic;
  }

  /** Returns the function that releases the amount, or the limit that it exceeds. */
  reserve(amountAtomic: bigint): ((chargedAtomic: bigint) => void) | 'per_payment' | 'total' {
    if (!this.allows(amountAtomic)) return 'per_payment';
    return this.reserveTotal(amountAtomic);
  }

  /** Whether one payment may have this amount. */
  allows(amountAtomic: bigint): boolean {
    return amountAtomic <= this.limits.maxPerPaymentAtomic;
  }

  /** What is left of the total. */
  get left(): bigint {
    return this.limits.maxTotalAtomic - this.spent;
  }

  /** The same for the reservation of a channel: each of its payments is checked by `allows`. */
  reserveTotal(amountAtomic: bigint): ((chargedAtomic: bigint) => void) | 'total' {
    this.beginPeriod();
    if (this.spentAtomic + amountAtomic > this.limits.maxTotalAtomic) return 'total';
    this.spentAtomic += amountAtomic;
    const { period } = this;
    let reservedAtomic = amountAtomic;
    return (chargedAtomic) => {
      // A release of the previous period does not change this one.
      if (period === this.period) this.spentAtomic -= reservedAtomic - chargedAtomic;
      reservedAtomic = chargedAtomic;
    };
  }

  private beginPeriod(): void {
    const { periodMs } = this.limits;
    if (periodMs === undefined || this.clock() - this.startedMs < periodMs) return;
    this.startedMs = this.clock();
    this.spentAtomic = 0n;
    this.period++;
  }
}
