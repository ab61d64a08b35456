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

// `pay` with the longest order has 410 bytes. Longer text is not decoded, because decoding takes quadratic time.
const maxDataLength = 600;

/** A payment without its position in the block. */
export type PaymentInTransaction = Omit<Payment, 'blockHash' | 'logIndex'>;

/**
 * Returns the payments to these programs in a transaction, in the order of execution; none for a failed transaction.
 * The program fails the whole transaction unless it has paid exactly the amounts of the instruction.
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

/** Whether the transaction pays any program with the code of the payment program, of this deployment or another. */
export function paysAnyOrder({ isSuccessful, instructions }: SolanaTransaction): boolean {
  return isSuccessful && instructions.some(isPayment);
}

function isPayment(instruction: SolanaInstruction): boolean {
  const { programId, accounts } = instruction;
  // The number of accounts of a payment in the coin, or in a token.
  if (accounts.length !== 5 && accounts.length !== 10) return false;
  const paid = accounts[4] === systemProgram ? decoded(instruction) : undefined;
  return paid !== undefined && accounts[1] === recordAddress(programId, paid.order);
}

/** Returns undefined for an instruction that is not a payment. The program rejects malformed payments. */
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
