import type { ReceivedTransfer, TransferRead } from '@tollbridge/chain-port';
import { canonicalAddress, type Chain } from '@tollbridge/chains';
import { amountIn, type Order } from '../orders/order';

/** What a reported transaction transfers to the merchant without the payment contract. */
export type PlainTransfers =
  /** The chain may still change it. */
  | { kind: 'wait' }
  /** Nothing for this order. */
  | { kind: 'none' }
  | { kind: 'received'; received: Received };

export interface Received {
  transfers: readonly ReceivedTransfer[];
  /** The payer signed the id of the order beside the transfer. */
  namesOrder: boolean;
}

// Block times are whole seconds on some chains.
const secondMs = 1_000;

/**
 * The transfers of a reported transaction that may belong to an order: to the merchant, in its token, after it was created.
 * A transaction that pays an order by the contract, or names another id, belongs to that one.
 */
export function plainTransfersOf(
  order: Pick<Order, 'id' | 'createdAtMs'>,
  read: TransferRead,
  { confirmations }: Pick<Chain, 'confirmations'>,
): PlainTransfers {
  if (read.kind !== 'mined') return { kind: 'wait' };
  const isEarlier = read.block.timeMs + secondMs <= order.createdAtMs;
  const isOfAnother = read.reference !== null && read.reference !== order.id;
  const transfers = read.transfers.filter(({ amountAtomic }) => amountAtomic > 0n);
  if (!read.isSuccessful || read.paysOrder || isEarlier || isOfAnother || transfers.length === 0)
    return { kind: 'none' };
  if (read.confirmations < confirmations) return { kind: 'wait' };
  return { kind: 'received', received: { transfers, namesOrder: read.reference === order.id } };
}

export interface TransferFacts extends Received {
  /** Earlier ones included that belong to the order as surely. */
  totalAtomic: bigint;
}

/** Complete, or why not: `CODE: sentence`. */
export type TransferVerdict = { isComplete: true; reason: null } | { isComplete: false; reason: string };

/**
 * Whether plain transfers complete an order. Anyone may report them, for an order of their own too: so the payer of the order
 * must have sent them, or named it in them; and nothing may be owed to a fee receiver.
 */
export function verdictOnTransfers(
  order: Order,
  chain: Chain,
  { transfers, namesOrder, totalAtomic }: TransferFacts,
): TransferVerdict {
  const owed = amountIn(order);
  const received = `the merchant received ${totalAtomic} of ${owed} by plain transfer`;
  const isFromPayer = transfers.every(({ from }) => isSame(chain, from, order.payerAddress));
  if (!isFromPayer && !namesOrder)
    return incomplete(`UNKNOWN_SENDER: ${received}, this part not from the payer of the order`);
  if (totalAtomic < owed) return incomplete(`PARTIAL_TRANSFER: ${received}`);
  if (order.feeAmount > 0n)
    return incomplete(`FEE_NOT_PAID: ${received}, and the fee did not reach its receiver`);
  return { isComplete: true, reason: null };
}

const incomplete = (reason: string): TransferVerdict => ({ isComplete: false, reason });

function isSame(chain: Chain, one: string, other: string): boolean {
  const [first, second] = [canonicalAddress(chain, one), canonicalAddress(chain, other)];
  return first.ok && second.ok && first.address === second.address;
}
