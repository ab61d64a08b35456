import { formatUnits } from '../../format/amounts';

/** Nano-payments are in USDT, which has six decimals. */
export const usdtDecimals = 6;

export const usdt = (atomic: string): string => `${formatUnits(atomic, usdtDecimals)} USDT`;
