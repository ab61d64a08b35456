import { forwardingStateOf, type RefundState } from '../../refunds/refund';
import type { DirectTerms, Order, OrderDeposit, ReportedHash } from '../order';
import type { OrderRow } from './orders.entity';

/** The deposit of an order, with the transfers that forward it to its sender. */
export interface DepositRow {
  order_id: string;
  address: string;
  memo: string | null;
  amount: string;
  decimals: number;
  estimated_seconds: number;
  state: OrderDeposit['state'];
  deposited: string | null;
  refunded: string | null;
  settlement_proof: OrderDeposit['proof'];
  forwarded:
    | { state: RefundState; amount: string; recipient: string | null; tx_hash: string | null }[]
    | null;
}

export function fromRow(row: OrderRow): Order {
  return {
    id: row.id,
    status: row.status,
    method: row.method,
    payChain: row.pay_chain,
    payToken: row.pay_token,
    settleChain: row.settle_chain,
    settleToken: row.settle_token,
    merchantAddress: row.merchant_address,
    merchantAmount: BigInt(row.merchant_amount),
    conversion: row.conversion,
    feeReceiver: row.fee_receiver,
    feeAmount: BigInt(row.fee_amount),
    merchantId: row.merchant_id,
    payerAddress: row.payer_address,
    isPayerless: row.is_payerless,
    direct: directOf(row),
    deposit: null,
    payTx: row.pay_tx,
    settleTx: row.settle_tx,
    settledAmount: row.settled_amount === null ? null : BigInt(row.settled_amount),
    failureReason: row.failure_reason,
    isLate: row.late,
    lastReport: lastReportOf(row),
    paidHeight: row.paid_height === null ? null : Number(row.paid_height),
    version: row.version,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
  };
}

function lastReportOf({
  last_report_tx: txHash,
  last_report_reason: reason,
  reported_at,
  updated_at,
}: OrderRow): ReportedHash | null {
  return txHash === null ? null : { txHash, reason, atMs: (reported_at ?? updated_at).getTime() };
}

function directOf({ contract_address, token_in_address }: OrderRow): DirectTerms | null {
  return contract_address === null || token_in_address === null
    ? null
    : { contractAddress: contract_address, tokenInAddress: token_in_address };
}

export function fromDepositRow(row: DepositRow): OrderDeposit {
  const amount = (text: string | null) => (text === null ? null : BigInt(text));
  return {
    address: row.address,
    memo: row.memo,
    amount: BigInt(row.amount),
    decimals: row.decimals,
    estimatedSeconds: row.estimated_seconds,
    state: row.state,
    depositedAmount: amount(row.deposited),
    refundedAmount: amount(row.refunded),
    proof: row.settlement_proof,
    forwarded: (row.forwarded ?? []).map(({ state, amount: forwarded, recipient, tx_hash: txHash }) => ({
      state: forwardingStateOf[state],
      amountAtomic: BigInt(forwarded),
      recipient,
      // Before `sent`, it is a gas transaction or a transfer that may still be replaced.
      txHash: state === 'sent' ? txHash : null,
    })),
  };
}
