import type { TronOrder } from '../tron/payment';
import { ORDER_UUID } from './order';

export const TRON_PAYER = 'TPswDDCAWhJAZGdHPidFg5nEf8TkNToDX1';
export const TRON_MERCHANT = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
export const TRON_FEE_RECEIVER = 'TAFjULxiVgT4qWk6UZwjqwZXTSaGaqnVp4';
export const TRON_USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

/** 100 USDT: 97 for the merchant, 3 for the platform. */
export function tronOrder(changes: Partial<TronOrder> = {}): TronOrder {
  return {
    orderId: ORDER_UUID,
    tokenIn: 'USDT',
    tokenOut: 'USDT',
    amountIn: 100_000_000n,
    token: TRON_USDT,
    merchant: TRON_MERCHANT,
    merchantAmount: 97_000_000n,
    feeReceiver: TRON_FEE_RECEIVER,
    feeAmount: 3_000_000n,
    deadline: 4_102_444_800n,
    ...changes,
  };
}
