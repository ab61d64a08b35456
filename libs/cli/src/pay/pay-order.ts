import {
  followOrder,
  getOrder,
  getOrderWalletCall,
  reportOrderTransaction,
  simulateSwapDeposit,
  toResult,
  type OrderReply,
  type SandboxChain,
  type SandboxNetwork,
} from '@tollbridge/sdk';
import type { CommandContext } from '../command';
import { CommandError } from '../exit-codes';
import { payCalls, sendCalls, transferCall } from './evm-chain';
import { networkOf, networkToken, openWallet, payerOf } from './sandbox-networks';
import { sandboxPayer, type SandboxPayer } from './sandbox-payer';
import { confirmSpending } from './spending';

export interface PaidOrder {
  order_id: string;
  status: string;
  transaction: string;
}

const gas = 'and gas on the local chain';

/** Pays an order with the demo payer, and follows the order until it is final. @throws CommandError */
export async function payOrder(context: CommandContext, id: string): Promise<PaidOrder> {
  const { client } = context;
  const payer = await sandboxPayer(client);
  const order = await getOrder(client, { id });
  if (order.status !== 'waiting_payment')
    throw new CommandError(`Order ${id} is ${order.status}: it takes no payment.`);
  const transaction =
    order.method === 'Direct'
      ? await payContract(context, payer, order)
      : await payDeposit(context, payer, order);
  context.terminal.note(`paid by ${transaction}`);
  const reported = await toResult(reportOrderTransaction(client, { id, tx_hash: transaction }));
  // A 409 is accepted: the chain watcher may have recorded the transaction before.
  if (!reported.ok && reported.error.status !== 409) throw reported.error;
  return { order_id: id, status: await followedStatus(context, id, transaction), transaction };
}

async function payContract(context: CommandContext, payer: SandboxPayer, order: OrderReply): Promise<string> {
  const { order_id: id, pay_token: symbol } = order;
  const network = networkOf(payer.sandbox, order.pay_blockchain);
  if (network) {
    const cost = {
      amountAtomic: BigInt(order.merchant_amount) + BigInt(order.fee_amount),
      symbol,
      fees: 'fee of the order included',
    };
    return payByWallet(context, network, id, { ...cost, purpose: `Order ${id} on ${network.chain}` });
  }
  const chain = localChain(payer, order.pay_blockchain);
  const call = await getOrderWalletCall(context.client, { id, payer: payer.address });
  const terms = call.payment_order;
  if (!terms || !call.contract_address) throw new CommandError(`Order ${id} has no payment on an EVM chain.`);
  await confirmSpending(context, {
    amountAtomic: BigInt(terms.amount_in),
    decimals: decimalsOf(chain, symbol),
    symbol,
    purpose: `Order ${id} on ${chain.caip2}`,
    fees: `fee of the order included, ${gas}`,
  });
  const calls = await payCalls(call.contract_address, chain.payAbi, {
    ...terms,
  });
  return sendCalls(chain, payer.privateKey, calls);
}

interface WalletPayment {
  amountAtomic: bigint;
  symbol: string;
  purpose: string;
  fees: string;
}

/** Signs the wallet call that the API returned for a network. */
async function payByWallet(
  context: CommandContext,
  network: SandboxNetwork,
  id: string,
  { symbol, fees, ...rest }: WalletPayment,
): Promise<string> {
  const { decimals } = networkToken(network, symbol);
  await confirmSpending(context, {
    ...rest,
    symbol,
    decimals,
    fees: `${fees}, and gas on the local network`,
  });
  const { wallet_call: call } = await getOrderWalletCall(context.client, {
    id,
    payer: payerOf(network).address,
  });
  if (!call)
    throw new CommandError(`Order ${id} has no payment for a wallet of ${network.chain} at present.`);
  return (await openWallet(network)).pay(call);
}

/** Whether a chain has no local network. The simulator of the route provider replaces such chains. */
const isSimulated = (chain: string): boolean => !/^(eip155:|(ton|solana|tron|sui)$)/.test(chain);

async function payDeposit(context: CommandContext, payer: SandboxPayer, order: OrderReply): Promise<string> {
  const deposit = order.cross_chain!;
  const { deposit_address: address, deposit_memo: memo, deposit_amount: amount } = deposit;
  const { deposit_blockchain: name, deposit_token: symbol } = deposit;
  const purpose = `Order ${order.order_id}, deposit on ${name}`;
  if (isSimulated(name)) {
    // The reply has no decimals of these tokens, so the amount is printed in the smallest unit.
    const cost = { amountAtomic: BigInt(amount), decimals: 0, symbol: `smallest units of ${symbol}` };
    await confirmSpending(context, { ...cost, purpose, fees: 'simulated' });
    const sent = { deposit_address: address, amount, ...(memo !== null && { deposit_memo: memo }) };
    return (await simulateSwapDeposit(context.client, sent)).tx_hash;
  }
  const amountAtomic = BigInt(amount);
  const network = networkOf(payer.sandbox, name);
  if (network) {
    const cost = { amountAtomic, symbol, purpose, fees: 'the deposit' };
    return payByWallet(context, network, order.order_id, cost);
  }
  const chain = localChain(payer, name);
  await confirmSpending(context, {
    amountAtomic,
    decimals: decimalsOf(chain, symbol),
    symbol,
    purpose,
    fees: gas,
  });
  return sendCalls(chain, payer.privateKey, [await tokenTransfer(chain, symbol, address, amountAtomic)]);
}

/** Transfers a token of a local chain, or its coin. */
export async function tokenTransfer(chain: SandboxChain, symbol: string, to: string, amountAtomic: bigint) {
  const token = tokenOf(chain, symbol);
  if (token.address !== null) return transferCall(token.address, to, amountAtomic);
  return { to, data: '0x', value: String(amountAtomic) };
}

/** Returns a local EVM chain. @throws CommandError for other families, and for networks without a local node */
export function localChain({ sandbox }: SandboxPayer, name: string): SandboxChain {
  const found = sandbox.chains.find(({ caip2 }) => caip2 === name);
  if (found) return found;
  throw new CommandError(
    `The sandbox has no local network of ${name}.`,
    1,
    'npm start has them all, unless it was started with --evm-only or SANDBOX_NETWORKS.',
  );
}

function tokenOf(chain: SandboxChain, symbol: string): SandboxChain['tokens'][number] {
  const token = chain.tokens.find((each) => each.symbol === symbol);
  if (!token) throw new CommandError(`The demo payer has no ${symbol} on ${chain.caip2}.`);
  return token;
}

export const decimalsOf = (chain: SandboxChain, symbol: string): number => tokenOf(chain, symbol).decimals;

async function followedStatus(
  { client, terminal }: CommandContext,
  id: string,
  transaction: string,
): Promise<string> {
  let last = 'waiting_payment';
  for await (const { data } of followOrder(client, { id }, { signal: terminal.signal })) {
    const { status, failure_reason: reason, last_report: report } = data;
    if (status !== last) terminal.note(`order ${id} is ${status}`);
    last = status;
    if (status === 'failed' || status === 'expired')
      throw new CommandError(`Order ${id} ${status}: ${reason ?? report?.reason ?? ''}`);
    if (status === 'waiting_payment' && report?.tx_hash === transaction && report.outcome === 'rejected')
      throw new CommandError(`Order ${id} is not paid: ${report.reason}`);
    if (status === 'settled') break;
  }
  return last;
}
