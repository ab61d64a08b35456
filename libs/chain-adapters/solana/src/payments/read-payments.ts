import type { Payment, PaymentFields } from '@tollbridge/chain-port';
import {
  decodePayment,
  recordAddress,
  systemProgram,
  type DecodedPayment,
  type SolanaPaymentOrder,
} from '@tollbridge/onchain/solana';
import { base58 } from '@scure/base';
import type { SolanaInstruction, SolanaTransaction } from '../solana-types';

// `pay` with the longest order has 410 bytes. A longer text is not decoded, which takes quadratic time.
const maxDataLength = 600;

/** A payment without its place in the block. */
export type PaymentInTransaction = Omit<Payment, 'blockHash' | 'logIndex'>;

/**
 * The payments that these programs took in a transaction, in the order of execution; none in one that failed. The
 * program fails the whole transaction unless it has paid exactly what the instruction says.
 */
export function paymentsIn(
  transaction: SolanaTransaction,
  programs: readonly string[],
): PaymentInTransaction[] {
  if (!transaction.isSuccessful) return [];
  const { slot: height, signature: txHash } = transaction;
  return transaction.instructions.flatMap((instruction) => {
    const paid = programs.includes(instruction.programId) ? decoded(instruction) : undefined;
    if (!paid) return [];
    const { payer, order, orderHash } = paid;
    const hash = `0x${Buffer.from(orderHash).toString('hex')}`;
    return [{ orderId: order.order_id, orderHash: hash, payer, fields: toFields(order), height, txHash }];
  });
}

/** Whether any program with the code of the payment program took a payment: at an address of ours or of others. */
export function paysAnyOrder({ isSuccessful, instructions }: SolanaTransaction): boolean {
  return isSuccessful && instructions.some(isPayment);
}

function isPayment(instruction: SolanaInstruction): boolean {
  const { programId, accounts } = instruction;
  // In the coin, or in a token.
  if (accounts.length !== 5 && accounts.length !== 10) return false;
  const paid = accounts[4] === systemProgram ? decoded(instruction) : undefined;
  return paid !== undefined && accounts[1] === recordAddress(programId, paid.order);
}

/** Undefined for an instruction that is not a payment: the program rejects malformed ones. */
function decoded({ accounts, data }: SolanaInstruction): DecodedPayment | undefined {
  if (data.length > maxDataLength) return undefined;
  try {
    return decodePayment(accounts, base58.decode(data));
  } catch {
    return undefined;
  }
}

function toFields(order: SolanaPaymentOrder): PaymentFields {
  return {
    token_in: order.token_in,
    token_out: order.token_out,
    amount_in: String(order.amount_in),
    token_in_address: order.token_in_address,
    merchant: order.merchant,
    merchant_amount: String(order.merchant_amount),
    fee_receiver: order.fee_receiver,
    fee_amount: String(order.fee_amount),
    deadline: String(order.deadline),
  };
}
