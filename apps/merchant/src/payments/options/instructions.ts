import { canCarryMemo, paymentUri } from '@tollbridge/chains';
import type { PaymentInstructions } from '@tollbridge/contracts';
import { transferCall, walletCalls } from '@tollbridge/evm';
import type { FromToken } from './payment-options';
import type { OrderToPay } from '../attempts/placed-order';

export interface InstructionTerms {
  /** The public URL of the API. */
  publicUrl: string;
  /**
   * Whether this deployment accepts direct payments on the chain. The URL of a deposit's payment call requires them.
   */
  isDirectHere: boolean;
}

/** The instructions for paying an order: calls and links for wallets. */
export function instructionsFor(
  { order_id: orderId, direct, cross_chain: deposit }: OrderToPay,
  { chain, token }: FromToken,
  { publicUrl, isDirectHere }: InstructionTerms,
): PaymentInstructions {
  const { chainId } = chain;
  if (direct && chain.family === 'evm') {
    const calls = walletCalls(direct.contract_address, direct.payment_order, chainId);
    return { chain_id: chainId, ...calls, transfer: null, wallet_call_url: null };
  }
  const none = { chain_id: chainId, approve: null, pay: null, transfer: null, wallet_call_url: null };
  const base = publicUrl.replace(/\/+$/, '');
  const walletCallUrl = `${base}/api/v1/pay/order/${orderId}/wallet-call`;
  if (direct) {
    // Solana Pay requires that a link inside a link is percent-encoded.
    const link = encodeURIComponent(`${base}/solana-pay/${orderId}`);
    return {
      ...none,
      uri: chain.family === 'solana' ? `solana:${link}` : null,
      wallet_call_url: walletCallUrl,
    };
  }
  const uri =
    deposit &&
    paymentUri({
      chain,
      token,
      address: deposit.deposit_address,
      amountAtomic: BigInt(deposit.deposit_amount),
      memo: deposit.deposit_memo,
    });
  // A transfer on EVM chains cannot carry a memo.
  const canTransfer = chain.family === 'evm' && deposit?.deposit_memo === null;
  const transfer = canTransfer
    ? transferCall(token.address, deposit.deposit_address, deposit.deposit_amount)
    : null;
  const hasCall =
    isDirectHere && chain.family !== 'evm' && (deposit?.deposit_memo === null || canCarryMemo(chain));
  return { ...none, transfer, uri, wallet_call_url: deposit && hasCall ? walletCallUrl : null };
}
