export interface BudgetLimits {
  maxPerPaymentAtomic: bigint;
  maxTotalAtomic: bigint;
  /** The total resets after this time. Without it, the total never resets. */
  periodMs: number | undefined;
}

/**
 * The spending limits of a buyer. An amount counts before it is signed, and until the buyer can prove that it was not
 * charged.
 */
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

  /** Returns a function that releases the amount, or the name of the limit that the amount exceeds. */
  reserve(amountAtomic: bigint): ((chargedAtomic: bigint) => void) | 'per_payment' | 'total' {
    if (!this.allows(amountAtomic)) return 'per_payment';
    return this.reserveTotal(amountAtomic);
  }

  /** Whether the amount is within the limit for one payment. */
  allows(amountAtomic: bigint): boolean {
    return amountAtomic <= this.limits.maxPerPaymentAtomic;
  }

  /** The remainder of the total. */
  get left(): bigint {
    return this.limits.maxTotalAtomic - this.spent;
  }

  /** Like `reserve`, for the reservation of a channel. `allows` checks each payment of the channel. */
  reserveTotal(amountAtomic: bigint): ((chargedAtomic: bigint) => void) | 'total' {
    this.beginPeriod();
    if (this.spentAtomic + amountAtomic > this.limits.maxTotalAtomic) return 'total';
    this.spentAtomic += amountAtomic;
    const { period } = this;
    let reservedAtomic = amountAtomic;
    return (chargedAtomic) => {
      // A release in a later period leaves the total of that period unchanged.
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
