import { Decimal, usdText } from '@tollbridge/money';

// Budgets count US dollars in millionths.
const decimals = 6;

/** US dollars in millionths, rounded down: that makes a budget narrower, never wider. */
export const microsOf = (usd: string): bigint => Decimal.of(usd).toAtomicDown(decimals);

/** Decimal dollars of an amount in millionths. */
export const usdOf = (micros: bigint): string => usdText(Decimal.fromAtomic(micros, decimals));
