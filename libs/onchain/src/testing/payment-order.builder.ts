import { parseUnits, ZeroAddress } from 'ethers';
import { orderIdToBytes16, type PaymentOrder } from '../payment-order';

export const orderUuid = '018f3b2c-7d4e-7a11-9c55-00d1e2f30415';
export const merchantAddress = '0x00000000000000000000000000000000000bEEf1';
export const feeReceiver = '0x00000000000000000000000000000000000bEEf2';

/** An order of 100 USDC, or of as many smallest units of the native coin: 97 for the merchant, 3 for the platform. */
export function aPaymentOrder(changes: Partial<PaymentOrder> = {}): PaymentOrder {
  return {
    order_id: orderIdToBytes16(orderUuid),
    token_in: 'USDC',
    token_out: 'USDC',
    amount_in: parseUnits('100', 6),
    token_in_address: ZeroAddress,
    merchant: merchantAddress,
    merchant_amount: parseUnits('97', 6),
    fee_receiver: feeReceiver,
    fee_amount: parseUnits('3', 6),
    deadline: 4_102_444_800n,
    ...changes,
  };
}
