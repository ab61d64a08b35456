import type { Clock } from '@tollbridge/database';
import type { TransactionReceipt } from 'ethers';
import { erc20, fromBytes32, spokePool } from '../across/contracts';
import { readMessage } from '../across/deposit-call';
import { indexedDeposits, stateOf } from '../across/deposit-status';
import type { Deposit, DepositsRepository } from '../across/deposits.repository';
import type { Market, Markets } from '../markets/market';
import { readRouterCall } from '../markets/uniswap';
import type { PricesRepository } from '../prices/prices.repository';
import { bridge, exchange, type Prices } from './describe';
import { describeReceipt, describeSent, type Holding, type Sent } from './describe-transaction';
import type { Status } from './wire';

export interface TransferStatusParts {
  markets: Markets;
  deposits: DepositsRepository;
  prices: PricesRepository;
  clock: Clock;
}

interface Outcome {
  status: Status;
  substatus?: string;
  substatusMessage?: string;
  tool: string;
  receiving?: object;
  toAddress?: string;
}

const depositTopic = spokePool.getEvent('FundsDeposited')!.topicHash;
const transferTopic = erc20.getEvent('Transfer')!.topicHash;

/** `GET /status`: status of a user's transaction. */
export async function transferStatus(
  txHash: string,
  fromChainId: number | undefined,
  parts: TransferStatusParts,
): Promise<object> {
  const all = [...parts.markets.values()];
  const asked = all.filter(({ chainId }) => fromChainId === undefined || chainId === fromChainId);
  const sent = await findSent(txHash, asked);
  if (!sent) {
    const chainId = asked[0]?.chainId;
    return { status: 'NOT_FOUND', sending: { txHash, chainId, txLink: '' }, receiving: { chainId } };
  }
  const prices = await parts.prices.all();
  const [deposit] = await indexedDeposits(txHash, parts);
  const { receiving, toAddress, ...outcome } = await outcomeOf(sent, deposit, parts, prices);
  const { market, transaction } = sent;
  return {
    ...outcome,
    transactionId: txHash,
    sending: await describeSent(sent, prices),
    receiving: receiving ?? { chainId: Number(deposit?.destinationChainId ?? market.chainId) },
    feeCosts: [],
    lifiExplorerLink: `https://scan.li.fi/tx/${txHash}`,
    fromAddress: transaction.from,
    toAddress: toAddress ?? transaction.from,
    metadata: { integrator: 'lifi-api' },
  };
}

async function findSent(txHash: string, markets: readonly Market[]): Promise<Sent | undefined> {
  for (const market of markets) {
    const transaction = await market.node.transaction(txHash);
    if (transaction) return { market, transaction, receipt: await market.node.receipt(txHash) };
  }
  return undefined;
}

async function outcomeOf(
  sent: Sent,
  deposit: Deposit | undefined,
  parts: TransferStatusParts,
  prices: Prices,
): Promise<Outcome> {
  const { market, transaction, receipt } = sent;
  if (!receipt) return pending('WAIT_SOURCE_CONFIRMATIONS', bridge.key);
  if (receipt.status === 0) return failed(sent, receipt);
  if (deposit) return ofDeposit(deposit, parts, prices);
  const isDeposit = receipt.logs.some(({ topics }) => topics[0] === depositTopic);
  if (isDeposit) return pending('WAIT_SOURCE_CONFIRMATIONS', bridge.key);
  const isSwap = transaction.to?.toLowerCase() === market.uniswap.router.toLowerCase();
  const swap = isSwap ? readRouterCall(transaction.data) : undefined;
  if (!swap) return { status: 'INVALID', tool: exchange.key };
  const { tokenOut, isUnwrapped, recipient } = swap;
  const token = isUnwrapped ? market.coin : market.find(tokenOut);
  const amountAtomic = received(receipt, tokenOut, isUnwrapped ? market.uniswap.router : recipient);
  const receiving = await describeReceipt(market, receipt, token && { token, amountAtomic }, prices);
  return { ...completed(exchange.key), toAddress: recipient, receiving };
}

const pending = (substatus: string, tool: string): Outcome => ({ status: 'PENDING', substatus, tool });
const completed = (tool: string): Outcome => ({
  status: 'DONE',
  substatus: 'COMPLETED',
  tool,
  substatusMessage: 'The transfer is complete.',
});

async function failed({ market, transaction }: Sent, receipt: TransactionReceipt): Promise<Outcome> {
  const words = await market.node.toRejection(transaction, receipt.blockNumber);
  const isOutOfGas = receipt.gasUsed >= transaction.gasLimit;
  const otherwise = words === 'Too little received' ? 'SLIPPAGE_EXCEEDED' : 'UNKNOWN_FAILED_ERROR';
  const substatus = isOutOfGas ? 'OUT_OF_GAS' : otherwise;
  return { status: 'FAILED', substatus, substatusMessage: words, tool: exchange.key };
}

async function ofDeposit(
  deposit: Deposit,
  { markets }: TransferStatusParts,
  prices: Prices,
): Promise<Outcome> {
  switch (stateOf(deposit)) {
    case 'pending':
      return pending('WAIT_DESTINATION_TRANSACTION', bridge.key);
    case 'expired':
      return pending('REFUND_IN_PROGRESS', bridge.key);
    case 'refunded':
      return refunded(deposit, markets.get(deposit.originChainId)!, prices);
    case 'filled':
      return filled(deposit, markets.get(Number(deposit.destinationChainId))!, prices);
  }
}

async function refunded({ relay, refundTx }: Deposit, origin: Market, prices: Prices): Promise<Outcome> {
  const token = origin.find(fromBytes32(relay.inputToken) ?? '');
  const back = token && { token, amountAtomic: BigInt(relay.inputAmount) };
  const receipt = await origin.node.receipt(refundTx!);
  return {
    status: 'DONE',
    substatus: 'REFUNDED',
    tool: bridge.key,
    substatusMessage: 'The tokens were refunded to the sender address.',
    ...(receipt && { receiving: await describeReceipt(origin, receipt, back, prices) }),
  };
}

async function filled(deposit: Deposit, destination: Market, prices: Prices): Promise<Outcome> {
  const receipt = await destination.node.receipt(deposit.fillTx!);
  // The node has lost the transaction, which is sent again.
  if (!receipt) return pending('WAIT_DESTINATION_TRANSACTION', bridge.key);
  const { toAddress, got } = deliveryOf(deposit, destination, receipt);
  const receiving = await describeReceipt(destination, receipt, got, prices);
  const end = { receiving, ...(toAddress !== undefined && { toAddress }) };
  if (deposit.actionsSucceeded !== false) return { ...completed(bridge.key), ...end };
  const substatusMessage = 'The transfer is partially complete: another token was received.';
  return { status: 'DONE', substatus: 'PARTIAL', substatusMessage, tool: bridge.key, ...end };
}

/** Returns the output of a fill for the recipient: the requested token, or the bridged token if the swap failed. */
function deliveryOf(
  { relay, actionsSucceeded }: Deposit,
  market: Market,
  receipt: TransactionReceipt,
): { toAddress: string | undefined; got: Holding | undefined } {
  const bridged = market.find(fromBytes32(relay.outputToken) ?? '');
  const wanted = actionsSucceeded === null ? undefined : readMessage(relay.message);
  const toAddress = wanted?.recipient ?? fromBytes32(relay.recipient);
  const amountAtomic = BigInt(relay.outputAmount);
  if (!bridged) return { toAddress, got: undefined };
  if (actionsSucceeded === false || !wanted) {
    // Without calls after the fill, the spoke pool unwraps WETH for accounts without code.
    const isCoin = bridged.symbol === 'WETH' && relay.message === '0x';
    return { toAddress, got: { token: isCoin ? market.coin : bridged, amountAtomic } };
  }
  if (wanted.token === null) return { toAddress, got: { token: market.coin, amountAtomic } };
  const token = market.find(wanted.token);
  const got = token && { token, amountAtomic: received(receipt, wanted.token, wanted.recipient) };
  return { toAddress, got };
}

/** Returns the net transfers of a token to an account in a transaction. */
function received({ logs }: TransactionReceipt, token: string, owner: string): bigint {
  let sum = 0n;
  for (const log of logs) {
    if (log.topics[0] !== transferTopic || log.address.toLowerCase() !== token.toLowerCase()) continue;
    const { args } = erc20.parseLog(log)!;
    if (String(args['to']).toLowerCase() === owner.toLowerCase()) sum += args['value'] as bigint;
  }
  return sum;
}
