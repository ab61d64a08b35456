import type { Payment } from '@tollbridge/chain-port';
import { orderIdToUuid } from '@tollbridge/onchain';
import { decodeSuiOrderPaid, hashSuiOrder, suiOrderPaidType } from '@tollbridge/onchain/sui';
import type { PlacedEvent } from '../wire';

// Canonical types have addresses of 64 digits.
const anyOrderPaid = /^0x[0-9a-f]{64}::pay::OrderPaid$/;

/** Whether an event of this type records a payment to our package or to another one with the same code. */
export const isLikePayment = (type: string): boolean => anyOrderPaid.test(type);

/**
 * Decodes an `OrderPaid` event of one of our packages. Returns undefined for an event that the module cannot have
 * emitted.
 * @param logIndex from `logIndexOf`
 */
export function readPayment(event: PlacedEvent, packageId: string, logIndex: number): Payment | undefined {
  if (event.type !== suiOrderPaidType({ packageId })) return undefined;
  try {
    const { orderHash, payer, order } = decodeSuiOrderPaid(event.contents);
    if (hashSuiOrder(order) !== orderHash) return undefined;
    return {
      orderId: orderIdToUuid(order.order_id),
      orderHash,
      payer,
      fields: {
        token_in: printable(order.token_in),
        token_out: printable(order.token_out),
        amount_in: String(order.amount_in),
        token_in_address: order.token_in_address,
        merchant: order.merchant,
        merchant_amount: String(order.merchant_amount),
        fee_receiver: order.fee_receiver,
        fee_amount: String(order.fee_amount),
        deadline: String(order.deadline),
      },
      height: event.checkpoint.height,
      blockHash: event.checkpoint.hash,
      txHash: event.txHash,
      logIndex,
    };
  } catch {
    return undefined;
  }
}

/** Returns the text, or its bytes in hexadecimal if a database, a log or an event could not store the text. */
const printable = (text: string): string =>
  /\p{C}/u.test(text) ? `0x${Buffer.from(text, 'utf8').toString('hex')}` : text;
