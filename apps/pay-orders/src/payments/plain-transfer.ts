import type { OtherTransfer, ReceivedTransfer, TransferRead } from '@tollbridge/chain-port';
import { canonicalAddress, findTokenAt, type Chain } from '@tollbridge/chains';
import { amountIn, type Order } from '../orders/order';

/** The transfers of a reported transaction to the merchant without the payment contract. */
export type PlainTransfers =
  /** The chain may still change the transaction. */
  | { kind: 'wait' }
  /** The transaction contains nothing for this order. */
  | { kind: 'none' }
  | { kind: 'received'; received: Received };

export interface Received {
  /** In the token of the order, on its chain. */
  transfers: readonly ReceivedTransfer[];
  /** In other tokens. On another chain, all transfers. */
  others: readonly OtherTransfer[];
  /** Whether the payer signed the id of the order together with the transfer. */
  namesOrder: boolean;
}

// Block times are whole seconds on some chains.
const secondMs = 1_000;
// Names of unknown tokens may have thousands of characters.
const maxTokenLength = 128;

/**
 * The transfers of a reported transaction that may belong to an order: to the merchant, in its token, after its
 * creation. A transaction that pays an order by the contract, or references another id, belongs to that order.
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
  const others = read.otherTransfers;
  const isEmpty = transfers.length === 0 && others.length === 0;
  if (!read.isSuccessful || read.paysOrder || isEarlier || isOfAnother || isEmpty) return { kind: 'none' };
  if (read.confirmations < confirmations) return { kind: 'wait' };
  return { kind: 'received', received: { transfers, others, namesOrder: read.reference === order.id } };
}

/** The same for a transaction on another chain than the order's, where coins were read as the wanted token. */
export function transfersElsewhere(
  order: Pick<Order, 'id' | 'createdAtMs'>,
  read: TransferRead,
  chain: Pick<Chain, 'confirmations'>,
): PlainTransfers {
  const found = plainTransfersOf(order, read, chain);
  if (found.kind !== 'received') return found;
  const { transfers, others, namesOrder } = found.received;
  const coins = transfers.map((transfer) => ({ ...transfer, tokenAddress: null }));
  return { kind: 'received', received: { transfers: [], others: [...coins, ...others], namesOrder } };
}

/** The symbol of a token of the chain, or the address of an unknown token. */
export function symbolOf(chain: Chain, tokenAddress: string | null): string {
  return findTokenAt(chain, tokenAddress)?.symbol ?? tokenAddress!.slice(0, maxTokenLength);
}

/** The reason that a transfer cannot pay an order. */
export function otherReason(order: Order, chain: Chain, token: string, amountAtomic: bigint): string {
  const code = chain.id === order.payChain ? 'OTHER_TOKEN' : 'OTHER_NETWORK';
  return `${code}: the merchant received ${amountAtomic} of ${token} on ${chain.id}; the order is paid in ${order.payToken} on ${order.payChain}`;
}

export interface TransferFacts extends Pick<Received, 'transfers' | 'namesOrder'> {
  /** The authenticated account that created the order; null for an anonymous client. */
  maker: string | null;
  /** Includes earlier transfers that certainly belong to the order. */
  totalAtomic: bigint;
}

/** Whether the order is complete. If not, the reason as `CODE: sentence`. */
type TransferVerdict = { isComplete: true; reason: null } | { isComplete: false; reason: string };

/**
 * Whether plain transfers complete an order that no other transaction has settled. Any client may report transfers, and
 * may state any payer in an order of their own. So the sender must have created the order, or the transfer must
 * reference it. The order must owe nothing to a fee receiver.
 */
export function verdictOnTransfers(
  order: Order,
  chain: Chain,
  { transfers, namesOrder, totalAtomic, maker }: TransferFacts,
): TransferVerdict {
  if (order.settleTx !== null) {
    const amount = transfers.reduce((sum, { amountAtomic }) => sum + amountAtomic, 0n);
    return incomplete(paidTwiceReason(amount, 'plain transfer', order.settleTx));
  }
  const owed = amountIn(order);
  const received = `the merchant received ${totalAtomic} of ${owed} by plain transfer`;
  if (!isFrom(chain, transfers, maker) && !namesOrder)
    return incomplete(
      `UNKNOWN_SENDER: ${received}, this part not from a wallet that signed in to create the order`,
    );
  if (totalAtomic < owed) return incomplete(`PARTIAL_TRANSFER: ${received}`);
  if (order.feeAmount > 0n)
    return incomplete(`FEE_NOT_PAID: ${received}, and the fee did not reach its receiver`);
  return { isComplete: true, reason: null };
}

/** The reason that a second payment of an order is an exception. The merchant app identifies it by its code. */
export const paidTwiceReason = (amountAtomic: bigint, by: string, settleTx: string): string =>
  `PAID_TWICE: the merchant received ${amountAtomic} by ${by}, and ${settleTx} had settled the order`;

/** Whether an account sent all of the transfers; false for the unknown account of an anonymous client. */
export const isFrom = (
  chain: Chain,
  transfers: readonly Pick<ReceivedTransfer, 'from'>[],
  account: string | null,
): boolean => account !== null && transfers.every(({ from }) => isSame(chain, from, account));

const incomplete = (reason: string): TransferVerdict => ({ isComplete: false, reason });

function isSame(chain: Chain, one: string, other: string): boolean {
  const [first, second] = [canonicalAddress(chain, one), canonicalAddress(chain, other)];
  return first.ok && second.ok && first.address === second.address;
}
