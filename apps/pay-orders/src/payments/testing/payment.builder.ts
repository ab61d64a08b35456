import type { Payment } from '@tollbridge/chain-port';
import { anOrder } from '../../orders/testing/order.builder';
import { expectedFields } from '../payment';

/** The payment of an order at its contract. */
export const aPayment = (changes: Partial<Payment> = {}, order = anOrder()): Payment => ({
  orderId: order.id,
  orderHash: `0x${'11'.repeat(32)}`,
  payer: order.payerAddress,
  fields: expectedFields(order),
  height: 100,
  blockHash: `0x${'cd'.repeat(32)}`,
  txHash: `0x${'ab'.repeat(32)}`,
  logIndex: 0,
  ...changes,
});
