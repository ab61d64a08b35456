import type { PaymentFields } from '@tollbridge/chain-port';
import { orderIdToBytes16, tollbridgePayAbi } from '@tollbridge/onchain';
import { Interface, ZeroAddress } from 'ethers';

const payContract = new Interface(tollbridgePayAbi);
const erc20 = new Interface([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address recipient, uint256 amount) returns (bool)',
]);

/** An order in the form of the contract's `pay`, with the field names of the specification. */
export interface ContractOrder extends Omit<PaymentFields, 'deadline'> {
  order_id: string;
  /** Unix seconds. */
  deadline: number;
}

/** A transaction for a wallet to send; the value is in wei. */
export interface WalletCall {
  to: string;
  data: string;
  value: string;
}

export interface WalletCalls {
  /** A call to send before `pay`; null for an order in the coin. */
  approve: WalletCall | null;
  pay: WalletCall;
  /** An ERC-681 link for the approval. Such links cannot encode structs, so `pay` has no link. */
  uri: string | null;
}

/** Returns the calls of a wallet that pay an order through the payment contract. Pure: needs no node. */
export function walletCalls(contract: string, order: ContractOrder, chainId: number | null): WalletCalls {
  const isNative = order.token_in_address === ZeroAddress;
  const argument = { ...order, order_id: orderIdToBytes16(order.order_id) };
  const pay = {
    to: contract,
    data: payContract.encodeFunctionData('pay', [argument]),
    value: isNative ? order.amount_in : '0',
  };
  if (isNative) return { approve: null, pay, uri: null };
  const { token_in_address: token, amount_in: amount } = order;
  const approve = { to: token, data: erc20.encodeFunctionData('approve', [contract, amount]), value: '0' };
  return { approve, pay, uri: `ethereum:${token}@${chainId}/approve?address=${contract}&uint256=${amount}` };
}

/**
 * Returns the call for a transfer to a deposit address.
 * @param token address of the token contract; null for the coin
 * @param amount in the smallest unit
 */
export function transferCall(token: string | null, recipient: string, amount: string): WalletCall {
  if (token === null) return { to: recipient, data: '0x', value: amount };
  return { to: token, data: erc20.encodeFunctionData('transfer', [recipient, amount]), value: '0' };
}
