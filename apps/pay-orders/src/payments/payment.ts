import type { EvmLog, EvmReceipt } from '@tollbridge/chains';
import { orderIdToUuid, tollbridgePayAbi } from '@tollbridge/onchain';
import { Interface } from 'ethers';
import { amountIn, deadlineOf, type Order, type OrderTerms } from '../orders/order';

const contract = new Interface(tollbridgePayAbi);

/** The topic of the contract's `OrderPaid` event. */
export const orderPaidTopic = contract.getEvent('OrderPaid')!.topicHash;

/** What one `OrderPaid` event says. */
export interface Payment {
  orderId: string;
  orderHash: string;
  payer: string;
  fields: PaymentFields;
  height: number;
  blockHash: string;
  txHash: string;
  logIndex: number;
}

/** The fields that a payment and its order must share; all of them, to the unit. */
export interface PaymentFields {
  token_in: string;
  token_out: string;
  amount_in: string;
  token_in_address: string;
  merchant: string;
  merchant_amount: string;
  fee_receiver: string;
  fee_amount: string;
  deadline: string;
}

export function expectedFields(order: OrderTerms): PaymentFields {
  return {
    token_in: order.payToken,
    token_out: order.settleToken,
    amount_in: String(amountIn(order)),
    token_in_address: order.tokenInAddress,
    merchant: order.merchantAddress,
    merchant_amount: String(order.merchantAmount),
    fee_receiver: order.feeReceiver,
    fee_amount: String(order.feeAmount),
    deadline: String(deadlineOf(order)),
  };
}

/** Reads an event of the payment contract; undefined for a log that is none. */
export function readPayment(log: EvmLog, contractAddress: string): Payment | undefined {
  if (log.address.toLowerCase() !== contractAddress.toLowerCase() || log.topics[0] !== orderPaidTopic)
    return undefined;
  let parsed;
  try {
    parsed = contract.parseLog(log);
  } catch {
    return undefined;
  }
  if (!parsed) return undefined;
  const { args } = parsed;
  const names = Object.keys(emptyFields) as (keyof PaymentFields)[];
  const fields = Object.fromEntries(
    names.map((name) => [name, String(args[name])]),
  ) as unknown as PaymentFields;
  return {
    orderId: orderIdToUuid(String(args['order_id'])),
    orderHash: String(args['orderHash']),
    payer: String(args['payer']),
    fields,
    height: log.height,
    blockHash: log.blockHash,
    txHash: log.txHash,
    logIndex: log.logIndex,
  };
}

const emptyFields: Record<keyof PaymentFields, true> = {
  token_in: true,
  token_out: true,
  amount_in: true,
  token_in_address: true,
  merchant: true,
  merchant_amount: true,
  fee_receiver: true,
  fee_amount: true,
  deadline: true,
};

/** What differs between a payment and its order, for people; empty when the payment is the order's. */
export function differences(order: OrderTerms, payment: Payment): string[] {
  const expected = expectedFields(order);
  return (Object.keys(expected) as (keyof PaymentFields)[])
    .filter((name) => expected[name] !== payment.fields[name])
    .map((name) => `${name} is ${payment.fields[name].slice(0, 80)}, not ${expected[name]}`);
}

/** Why a reported transaction can never pay the order, or `wait` while it still may. */
export type Verdict = 'wait' | { reject: string };

export interface ReportedTransaction {
  order: Order;
  contractAddress: string;
  receipt: EvmReceipt | null;
  /** Whether the node knows the transaction at all, mined or not. */
  isKnown: boolean;
  /** How many blocks, its own included, the chain has built on the transaction, as far as payments were read. */
  confirmations: number;
  requiredConfirmations: number;
  waitedMs: number;
}

// Long enough for a crowded mempool and for nodes to tell each other; decisions fix it for the payer's sake.
const notFoundAfterMs = 10 * 60_000;

/**
 * Judges a transaction that was reported but whose payment was not found. A verdict is given only at the chain's
 * required depth, as a reorganisation could still turn a reverted transaction into a good one.
 */
export function judgeReported(reported: ReportedTransaction): Verdict {
  const { order, receipt, isKnown, waitedMs } = reported;
  if (!receipt) {
    if (waitedMs < notFoundAfterMs) return 'wait';
    return isKnown
      ? { reject: 'TX_NOT_MINED: the reported transaction was not mined within 10 minutes' }
      : { reject: 'TX_NOT_FOUND: the reported transaction was not found within 10 minutes' };
  }
  if (reported.confirmations < reported.requiredConfirmations) return 'wait';
  if (!receipt.succeeded) return { reject: 'TX_REVERTED: the reported transaction reverted' };
  const payments = receipt.logs.flatMap((log) => readPayment(log, reported.contractAddress) ?? []);
  const own = payments.find(({ orderId }) => orderId === order.id);
  if (own) {
    const different = differences(order, own);
    // The payment is right: it is for the watcher to take it.
    return different.length === 0 ? 'wait' : { reject: `PAYMENT_MISMATCH: ${different.join('; ')}` };
  }
  if (payments.length > 0)
    return { reject: 'PAYS_ANOTHER_ORDER: the reported transaction pays another order' };
  if (receipt.logs.some(({ topics }) => topics[0] === orderPaidTopic)) {
    return { reject: 'OTHER_CONTRACT: the payment was made to a contract that is not the payment contract' };
  }
  return { reject: 'NO_PAYMENT: the reported transaction does not call the payment contract' };
}
