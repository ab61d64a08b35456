import type { CreateOrderReply, PaymentInstructions } from '@tollbridge/contracts';
import type { FromToken } from './payment-options';
import { formatUnits } from '@tollbridge/money';
import { orderIdToBytes16, tollbridgePayAbi } from '@tollbridge/onchain';
import { Interface, ZeroAddress } from 'ethers';

const payContract = new Interface(tollbridgePayAbi);
const erc20 = new Interface(['function approve(address spender, uint256 amount) returns (bool)']);

/** How to pay an order, as calls and links for wallets. */
export function instructionsFor(
  { direct, cross_chain }: CreateOrderReply,
  from: FromToken,
): PaymentInstructions {
  const { chainId } = from.chain;
  if (direct) return { chain_id: chainId, ...directCalls(direct, chainId) };
  return { chain_id: chainId, approve: null, pay: null, uri: cross_chain && transferUri(cross_chain, from) };
}

type Direct = NonNullable<CreateOrderReply['direct']>;

function directCalls(
  { contract_address: contract, payment_order: order }: Direct,
  chainId: number | null,
): Omit<PaymentInstructions, 'chain_id'> {
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
  // ERC-681 links have no structs, so only the approval can be a link.
  return { approve, pay, uri: `ethereum:${token}@${chainId}/approve?address=${contract}&uint256=${amount}` };
}

// BIP-21, and the schemes that wallets of its forks use.
const coinSchemes: Readonly<Record<string, string>> = { btc: 'bitcoin', ltc: 'litecoin', doge: 'dogecoin' };

function transferUri(
  deposit: NonNullable<CreateOrderReply['cross_chain']>,
  { chain, token }: FromToken,
): string | null {
  const { deposit_address: address, deposit_amount: amount, deposit_memo: memo } = deposit;
  // A link without the memo would lose the deposit.
  if (memo !== null) return null;
  if (chain.family === 'evm')
    return token.address === null
      ? `ethereum:${address}@${chain.chainId}?value=${amount}`
      : `ethereum:${token.address}@${chain.chainId}/transfer?address=${address}&uint256=${amount}`;
  const scheme = coinSchemes[chain.id];
  return scheme ? `${scheme}:${address}?amount=${formatUnits(BigInt(amount), token.decimals)}` : null;
}
