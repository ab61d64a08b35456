import { paymentUri } from '@tollbridge/chains';
import type { PaymentInstructions } from '@tollbridge/contracts';
import { transferCall, walletCalls } from '@tollbridge/evm';
import type { FromToken } from './payment-options';
import type { OrderToPay } from './placed-order';

/**
 * How to pay an order, as calls and links for wallets.
 * @param publicUrl of the API
 */
export function instructionsFor(
  { order_id: orderId, direct, cross_chain: deposit }: OrderToPay,
  { chain, token }: FromToken,
  publicUrl: string,
): PaymentInstructions {
  const { chainId } = chain;
  if (direct && chain.family === 'evm') {
    const calls = walletCalls(direct.contract_address, direct.payment_order, chainId);
    return { chain_id: chainId, ...calls, transfer: null, wallet_call_url: null };
  }
  const none = { chain_id: chainId, approve: null, pay: null, transfer: null, wallet_call_url: null };
  if (direct) {
    const base = publicUrl.replace(/\/+$/, '');
    // Of Solana Pay: a link inside a link is percent-encoded.
    const link = encodeURIComponent(`${base}/solana-pay/${orderId}`);
    return {
      ...none,
      uri: chain.family === 'solana' ? `solana:${link}` : null,
      wallet_call_url: `${base}/api/v1/pay/order/${orderId}/wallet-call`,
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
  // A memo is no part of a transfer on EVM chains.
  const canTransfer = chain.family === 'evm' && deposit?.deposit_memo === null;
  const transfer = canTransfer
    ? transferCall(token.address, deposit.deposit_address, deposit.deposit_amount)
    : null;
  return { ...none, transfer, uri };
}
