import type { DepositTransfer, DirectOrder, WalletCall } from '@tollbridge/chain-port';
import {
  coinTransferInstruction,
  compileMessage,
  createTokenAccountInstruction,
  memoInstruction,
  nativeCoin,
  payInstruction,
  tokenTransferInstruction,
  unsignedTransaction,
  type Instruction,
  type SolanaPaymentOrder,
} from '@tollbridge/onchain/solana';
import type { RecentBlockhash } from '../solana-types';

/** Returns the token of an order in the form that the program uses. */
export const tokenAddressOf = ({ token }: Pick<DirectOrder, 'token'>): string => token.address ?? nativeCoin;

/** Converts the order to the form of the program. @throws Error if its deadline is not a whole second */
export function toSolanaOrder(order: DirectOrder): SolanaPaymentOrder {
  const { token, merchantAmountAtomic, feeAmountAtomic } = order;
  return {
    order_id: order.id,
    token_in: token.symbol,
    token_out: token.symbol,
    amount_in: merchantAmountAtomic + feeAmountAtomic,
    token_in_address: tokenAddressOf(order),
    merchant: order.merchantAddress,
    merchant_amount: merchantAmountAtomic,
    fee_receiver: order.feeReceiver,
    fee_amount: feeAmountAtomic,
    deadline: BigInt(order.expiresAtMs / 1_000),
  };
}

/**
 * Returns the instructions for `payer` to pay an order. They create missing token accounts of the receivers, at the
 * payer's cost.
 * @param tokenProgram owner program of the mint; null for the coin
 */
export function paymentInstructions(
  program: string,
  order: SolanaPaymentOrder,
  payer: string,
  tokenProgram: string | null,
): Instruction[] {
  if (tokenProgram === null) return [payInstruction(program, order, payer)];
  const receivers = order.fee_amount > 0n ? [order.merchant, order.fee_receiver] : [order.merchant];
  const create = [...new Set(receivers)].map((receiver) =>
    createTokenAccountInstruction(payer, receiver, order.token_in_address, tokenProgram),
  );
  return [...create, payInstruction(program, order, payer, { tokenProgram })];
}

/**
 * Returns the instructions for `payer` to make a transfer. They create a missing token account of the receiver, at the
 * payer's cost.
 * @param tokenProgram owner program of the mint; null for the coin
 */
export function transferInstructions(
  { token, receiver, amountAtomic, memo }: DepositTransfer,
  payer: string,
  tokenProgram: string | null,
): Instruction[] {
  const texts = memo === null ? [] : [memoInstruction(memo)];
  const { address: mint, decimals } = token;
  if (mint === null || tokenProgram === null)
    return [...texts, coinTransferInstruction(payer, receiver, amountAtomic)];
  return [
    createTokenAccountInstruction(payer, receiver, mint, tokenProgram),
    ...texts,
    tokenTransferInstruction({ from: payer, to: receiver, mint, tokenProgram, amountAtomic, decimals }),
  ];
}

/**
 * Builds the message that the payer signs. A wallet receives it directly, or as the answer to a transaction request of
 * Solana Pay.
 */
export function paymentCall(
  payer: string,
  instructions: readonly Instruction[],
  { blockhash, lastValidBlockHeight }: RecentBlockhash,
): Extract<WalletCall, { family: 'solana' }> {
  const message = compileMessage(payer, instructions, blockhash);
  return {
    family: 'solana',
    message: base64(message),
    transaction: base64(unsignedTransaction(message)),
    lastValidBlockHeight,
  };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
