import { Inject, Injectable } from '@nestjs/common';
import type { ExceptionKind, ExceptionResolution, OrderChanged, OrderException } from '@tollbridge/contracts';
import { findChain } from '@tollbridge/chains';
import { Clock, type TransactionClient } from '@tollbridge/database';
import type { OrderChange, OrderListener } from '../orders/order-change';
import { findOrdersWithOpenExceptions, recordException, resolveExceptionsOfOrder } from './record-exception';

/** Records transfers that an order cannot use as exceptions of the merchant, and resolves them when later events do. */
@Injectable()
export class OrderExceptions implements OrderListener {
  constructor(@Inject(Clock) private readonly clock: Clock) {}

  async onOrders(changes: readonly OrderChange[], client: TransactionClient): Promise<void> {
    const nowMs = this.clock.now();
    const waiting = changes.filter(({ type, order }) => type === 'order-exception' && order.exception);
    for (const change of waiting) await record(client, change, nowMs);
    const resolutions = changes.flatMap((change) =>
      resolutionsBy(change).map((it) => ({ ...it, wallet: change.wallet, orderId: change.order.order_id })),
    );
    const open = await findOrdersWithOpenExceptions(client, resolutions);
    for (const resolution of resolutions)
      if (open.has(resolution.orderId)) await resolveExceptionsOfOrder(client, { ...resolution, nowMs });
  }
}

async function record(
  client: TransactionClient,
  { order, wallet, traceparent }: OrderChange,
  nowMs: number,
): Promise<void> {
  const { id, chain, token, amount, tx_hash: txHash, reason } = order.exception!;
  await recordException(client, {
    wallet,
    reference: `order:${id}`,
    kind: exceptionKindOf(order, order.exception!),
    paylinkId: null,
    orderId: order.order_id,
    chain: findChain(chain)?.id ?? chain,
    token,
    amount: BigInt(amount),
    txHash,
    payer: null,
    reason,
    nowMs,
    traceparent,
  });
}

type Placed = Pick<OrderChanged, 'status' | 'pay_blockchain' | 'pay_token'>;

function exceptionKindOf(
  { status, pay_blockchain: payChain, pay_token: payToken }: Placed,
  { kind, chain, token, reason }: Pick<OrderException, 'kind' | 'chain' | 'token' | 'reason'>,
): ExceptionKind {
  switch (kind) {
    case 'refund':
      return 'refund';
    case 'deposit':
      return status === 'settled' ? 'second_payment' : 'late';
    case 'transfer':
      if (findChain(chain)?.id !== findChain(payChain)?.id) return 'other_network';
      if (token !== payToken) return 'other_token';
      if (reason.startsWith('PAID_TWICE: ')) return 'second_payment';
      return reason.startsWith('PARTIAL_TRANSFER: ') ? 'partial' : 'plain_transfer';
  }
}

interface Resolution {
  kinds: readonly ExceptionKind[];
  resolution: ExceptionResolution;
}

/** Events may arrive out of order, so the newest known state of the order decides. */
function resolutionsBy({ type, order, before, isNewest }: OrderChange): Resolution[] {
  const newest = isNewest ? order : before!;
  const isSettledNow = newest.status === 'settled' && before?.status !== 'settled';
  const isReturned = newest.refund_account !== true || (!isNewest && Boolean(newest.forwarded_amount));
  const found: Resolution[] = [];
  if (isSettledNow || (type === 'order-exception' && newest.status === 'settled'))
    found.push({ kinds: [...completedBy(newest)], resolution: 'completed' });
  if (type === 'order-refunded' || (order.exception?.kind === 'refund' && isReturned))
    found.push({ kinds: ['second_payment', 'late', 'refund'], resolution: 'returned' });
  return found;
}

/** Plain transfers complete an order only when no payment by the contract exists. Such a payment would have a payer. */
const completedBy = ({ method, paid_by: paidBy }: OrderChanged): ExceptionKind[] =>
  method === 'Direct' && paidBy === null ? ['late', 'partial'] : ['late'];
