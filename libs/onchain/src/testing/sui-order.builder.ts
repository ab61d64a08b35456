import type { PaymentOrder } from '../payment-order';
import type { SuiPayContract } from '../sui/sui-order';
import { aPaymentOrder } from './payment-order.builder';

export const suiPayer = `0x${'a11ce'.padStart(64, '0')}`;
export const usdc = '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC';

export const suiContract: SuiPayContract = {
  packageId: `0x${'7011b71d9e'.repeat(6)}0001`,
  registryId: `0x${'5ea1'.repeat(16)}`,
  registryVersion: 42n,
};

/** An order of 100 USDC: 97 for the merchant, 3 for the platform. */
export function aSuiOrder(changes: Partial<PaymentOrder> = {}): PaymentOrder {
  return aPaymentOrder({
    token_in_address: usdc,
    merchant: `0x${'beef1'.padStart(64, '0')}`,
    fee_receiver: `0x${'beef2'.padStart(64, '0')}`,
    ...changes,
  });
}
