import type { OrderReply, PaymentStatusReply, WalletCall } from '@tollbridge/contracts';
import { findChain, findToken } from '@tollbridge/chains';
import { transferCall } from '@tollbridge/evm';
import { missingDeposit } from './pay-state';
import { addChainParameters } from '../wallets/wallet-chains';
import { isWalletFamily, type WalletFamily } from '../wallets/wallet-panel';

/** The payment details for the script of the page. Amounts and receivers come from here, never from the URL. */
export interface Payable {
  family: WalletFamily;
  chainId: number | null;
  chainName: string;
  addChain: object | null;
  approve: WalletCall | null;
  approval: string;
  pay: WalletCall | null;
  walletCall: string | null;
}

/** Undefined when no wallet can pay. For an incomplete deposit, contains the missing amount. */
export function payableOf(status: PaymentStatusReply, order: OrderReply | undefined): Payable | undefined {
  const { instructions, from_chain, payment_request_id, payment_id, order_id } = status;
  const chain = findChain(from_chain);
  const family = chain?.family ?? '';
  if (!chain || !isWalletFamily(family)) return undefined;
  const rest = restOf(status, order);
  const pay = rest?.transfer ?? instructions?.pay ?? instructions?.transfer ?? null;
  const hasCall = rest?.hasCall ?? Boolean(instructions?.wallet_call_url);
  if (!pay && !hasCall) return undefined;
  return {
    family,
    chainId: chain.chainId,
    chainName: chain.name,
    addChain: addChainParameters(chain),
    approve: instructions?.approve ?? null,
    approval: `/checkout/${payment_request_id}/${payment_id}/approval/`,
    pay,
    walletCall: hasCall ? `/api/v1/pay/order/${order_id}/wallet-call` : null,
  };
}

/** The transfer of the missing amount. In other families than EVM, the server returns it when the wallet opens. */
function restOf({ from_chain, from_token }: PaymentStatusReply, order: OrderReply | undefined) {
  const missing = missingDeposit(order);
  const deposit = order?.cross_chain;
  const chain = findChain(from_chain);
  const token = chain && findToken(chain, from_token);
  if (!missing || !deposit || !token) return undefined;
  if (chain.family !== 'evm') return { transfer: null, hasCall: true };
  // Transfers on EVM chains cannot carry a memo.
  if (deposit.deposit_memo !== null) return undefined;
  const amount = String(missing.missingAtomic);
  return { transfer: transferCall(token.address, deposit.deposit_address, amount), hasCall: false };
}
