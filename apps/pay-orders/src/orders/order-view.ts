import type { DepositView, LastReport, OrderReply } from '@tollbridge/contracts';
import { crossChainView } from './create-order';
import type { OrderDeposit, ReportedHash } from './order';
import type { StoredOrder } from './storage/orders.repository';

/** An order in the field names of the specification. */
export function viewOf(order: StoredOrder, requiredConfirmations: number): OrderReply {
  const { paidHeight, chainHeight } = order;
  const deep = paidHeight === null || chainHeight === null ? 0 : Math.max(chainHeight - paidHeight + 1, 0);
  // Deliveries and plain transfers settle only with all required confirmations.
  const hasAll = paidHeight === null && order.status === 'settled';
  return {
    order_id: order.id,
    status: order.status,
    method: order.method,
    pay_tx: order.payTx,
    settle_tx: order.settleTx,
    settled_amount: order.settledAmount === null ? null : String(order.settledAmount),
    pay_blockchain: order.payChain,
    pay_token: order.payToken,
    settle_chain: order.settleChain,
    settle_token: order.settleToken,
    merchant_amount: String(order.merchantAmount),
    ...order.conversion,
    fee_amount: String(order.feeAmount),
    merchant_id: order.merchantId,
    failure_reason: order.failureReason,
    late: order.isLate,
    last_report: lastReportView(order),
    exceptions: order.exceptions,
    confirmations: hasAll ? requiredConfirmations : Math.min(deep, requiredConfirmations),
    required_confirmations: requiredConfirmations,
    cross_chain: order.deposit && depositView(order, order.deposit),
    version: order.version,
    expires_at: new Date(order.expiresAtMs).toISOString(),
    created_at: new Date(order.createdAtMs).toISOString(),
    updated_at: new Date(order.updatedAtMs).toISOString(),
  };
}

function lastReportView(order: StoredOrder): LastReport | null {
  if (!order.lastReport) return null;
  const { txHash, atMs } = order.lastReport;
  const reason = whyRejected(order, order.lastReport);
  const isPending = order.status === 'settling' && order.paidHeight === null;
  const outcome = reason !== null ? 'rejected' : isPending ? 'pending' : 'paid';
  return { tx_hash: txHash, outcome, reason, reported_at: new Date(atMs).toISOString() };
}

function whyRejected(
  { payTx, status, failureReason }: StoredOrder,
  { txHash, reason }: ReportedHash,
): string | null {
  if (reason !== null) return reason;
  if (txHash !== payTx) return 'PAID_BY_ANOTHER: another transaction paid the order';
  return status === 'failed' ? failureReason : null;
}

function depositView(order: StoredOrder, deposit: OrderDeposit): DepositView {
  const text = (amount: bigint | null) => (amount === null ? null : String(amount));
  return {
    ...crossChainView(order, deposit),
    deposit_status: deposit.state,
    deposited_amount: text(deposit.depositedAmount),
    refunded_amount: text(deposit.refundedAmount),
    settlement_proof: deposit.proof,
    forwarded_refunds: deposit.forwarded.map(({ state, amountAtomic, recipient, txHash }) => ({
      state,
      amount: String(amountAtomic),
      recipient,
      tx_hash: txHash,
    })),
  };
}
