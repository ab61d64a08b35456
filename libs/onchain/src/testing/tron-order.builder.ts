import type { TronOrder } from '../tron/payment';
import { orderUuid } from './payment-order.builder';

export const tronPayer = 'TPswDDCAWhJAZGdHPidFg5nEf8TkNToDX1';
export const tronMerchant = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
export const tronFeeReceiver = 'TAFjULxiVgT4qWk6UZwjqwZXTSaGaqnVp4';
export const tronUsdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

/** An order of 100 USDT: 97 for the merchant, 3 for the platform. */
export function aTronOrder(changes: Partial<TronOrder> = {}): TronOrder {
  return {
    orderId: orderUuid,
    tokenIn: 'USDT',
    tokenOut: 'USDT',
    amountIn: 100_000_000n,
    token: tronUsdt,
    merchant: tronMerchant,
    merchantAmount: 97_000_000n,
    feeReceiver: tronFeeReceiver,
    feeAmount: 3_000_000n,
    deadline: 4_102_444_800n,
    ...changes,
  };
}
