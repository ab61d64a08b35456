import { Decimal, usdText } from '@tollbridge/money';

// Budgets count millionths of a US dollar.
const decimals = 6;

/** Millionths of a US dollar, rounded down, so that rounding never increases a budget. */
export const microsOf = (usd: string): bigint => Decimal.of(usd).toAtomicDown(decimals);

/** US dollars as a decimal string, from millionths. */
export const usdOf = (micros: bigint): string => usdText(Decimal.fromAtomic(micros, decimals));
