// Parses the replies of LI.FI field by field. Pure. Source: the types of its SDK 4.3.0 and its documentation.
import {
  type Fields,
  UnreadableReply,
  isAbsent,
  readAmount,
  readBoolean,
  readFields,
  readList,
  readOptional,
} from '@tollbridge/http';
import { ZeroAddress } from 'ethers';
import { tokenKey } from '@tollbridge/chains';
import {
  readEvmAddress,
  readCallData,
  readChainId,
  readName,
  readQuantity,
  readToken,
  readTxHash,
} from '../evm-wire';
import type { SwapAnswer } from '../swap-answer';
import type { SwapFee, SwapStatus, SwapStatusQuery, SwapStep, SwapStepType } from '../swap-routes';
import { pending } from '../swap-status';
import { readOptionalText, readSeconds, tableOf, readPlainText } from '../wire-fields';

export interface LiFiAnswer extends SwapAnswer {
  sender: string;
  recipient: string;
}

export function readAnswer(reply: unknown): LiFiAnswer {
  const fields = readFields(reply, 'the quote');
  const action = readFields(fields['action'], 'action');
  const estimate = readFields(fields['estimate'], 'estimate');
  const from = readToken(action['fromToken'], 'action.fromToken');
  const sender = readEvmAddress(action['fromAddress'], 'action.fromAddress');
  return {
    from,
    to: readToken(action['toToken'], 'action.toToken'),
    sender,
    recipient: readOptional(action['toAddress'], 'action.toAddress', readEvmAddress) ?? sender,
    amountInAtomic: readAmount(estimate['fromAmount'], 'estimate.fromAmount'),
    amountOutAtomic: readAmount(estimate['toAmount'], 'estimate.toAmount'),
    minAmountOutAtomic: readAmount(estimate['toAmountMin'], 'estimate.toAmountMin'),
    steps: readSteps(fields['includedSteps']),
    fees: readFees(estimate['feeCosts']),
    estimatedSeconds: readSeconds(estimate['executionDuration'], 'estimate.executionDuration'),
    // Quotes do not expire, because the transaction enforces the minimum.
    expiresAt: null,
    spender:
      from.address === null
        ? ZeroAddress
        : readEvmAddress(estimate['approvalAddress'], 'estimate.approvalAddress'),
    transaction: readTransaction(readFields(fields['transactionRequest'], 'transactionRequest')),
  };
}

function readTransaction(transaction: Fields): SwapAnswer['transaction'] {
  return {
    chain: readChainId(transaction['chainId'], 'transaction.chainId'),
    to: readEvmAddress(transaction['to'], 'transaction.to'),
    data: readCallData(transaction['data'], 'transaction.data'),
    valueAtomic: readOptional(transaction['value'], 'transaction.value', readQuantity) ?? 0n,
    gasUnits: readOptional(transaction['gasLimit'], 'transaction.gasLimit', readQuantity) || null,
  };
}

/** A part of the route: a swap, a bridge, or a fee. */
interface Part extends Omit<SwapStep, 'type'> {
  isCrossing: boolean;
}

// A route has only a few parts.
const maxParts = 20;

/** Merges the parts before, in and after the bridges into one step each. */
function readSteps(list: unknown): SwapStep[] {
  const parts = readList(list, 'includedSteps', maxParts)
    .map((item) => readPart(readFields(item, 'a step')))
    .filter(isMoving);
  const first = parts.findIndex(({ isCrossing }) => isCrossing);
  if (first < 0) return joined('originSwap', parts);
  const end = parts.findLastIndex(({ isCrossing }) => isCrossing) + 1;
  return [
    ...joined('originSwap', parts.slice(0, first)),
    ...joined('bridge', parts.slice(first, end)),
    ...joined('destinationSwap', parts.slice(end)),
  ];
}

function readPart(step: Fields): Part {
  const [action, estimate] = [readFields(step['action'], 'action'), readFields(step['estimate'], 'estimate')];
  return {
    isCrossing: readPlainText(step['type'], 'step.type') === 'cross',
    venue: readName(step['tool'], 'step.tool'),
    tokenIn: readToken(action['fromToken'], 'action.fromToken'),
    tokenOut: readToken(action['toToken'], 'action.toToken'),
    amountInAtomic: readAmount(estimate['fromAmount'], 'estimate.fromAmount'),
    amountOutAtomic: readAmount(estimate['toAmount'], 'estimate.toAmount'),
  };
}

/** Excludes fee parts, which do not change the token. */
const isMoving = ({ tokenIn: { chain, address }, tokenOut }: Part): boolean =>
  tokenKey(chain, address) !== tokenKey(tokenOut.chain, tokenOut.address);

function joined(type: SwapStepType, parts: readonly Part[]): SwapStep[] {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return [];
  const venue = [...new Set(parts.map((part) => part.venue))].join(' + ');
  const { tokenOut, amountOutAtomic } = last;
  return [
    { type, venue, tokenIn: first.tokenIn, tokenOut, amountInAtomic: first.amountInAtomic, amountOutAtomic },
  ];
}

const maxFees = 20;

function readFees(list: unknown): SwapFee[] {
  if (isAbsent(list)) return [];
  return readList(list, 'feeCosts', maxFees).flatMap((item) => {
    const fields = readFields(item, 'a fee');
    const amountAtomic = readAmount(fields['amount'], 'amount');
    const isIncluded = readBoolean(fields['included'], 'included');
    const fee = { name: readName(fields['name'], 'name'), token: readToken(fields['token'], 'token') };
    return amountAtomic === 0n ? [] : [{ ...fee, amountAtomic, isIncluded }];
  });
}

/** Maps LI.FI's failure reasons to our texts. */
const failures = tableOf({
  INSUFFICIENT_ALLOWANCE: 'the allowance was too low',
  INSUFFICIENT_BALANCE: 'the balance was too low',
  OUT_OF_GAS: 'the gas limit was too low',
  EXPIRED: 'the transaction was sent too late',
  SLIPPAGE_EXCEEDED: 'the price moved too far',
});

type ReadState = (fields: Fields, query: SwapStatusQuery) => SwapStatus;

const finished = tableOf<ReadState>({
  COMPLETED: (fields, query) => readDelivery(fields, query),
  PARTIAL: (fields, query) => otherToken(readDelivery(fields, query)),
  // Final states without success.
  REFUNDED: (fields, { from }) => {
    const receiving = readFields(fields['receiving'] ?? {}, 'receiving');
    const isOnOrigin =
      !isAbsent(receiving['chainId']) &&
      readChainId(receiving['chainId'], 'receiving.chainId') === from.chain;
    const isReported = isOnOrigin && readOptionalText(receiving['txHash'], 'receiving.txHash') !== null;
    return {
      ...pending,
      state: 'refunded',
      refundTxHash: isReported ? readTxHash(receiving['txHash'], 'receiving.txHash') : null,
      reason: 'the swap could not be delivered',
    };
  },
});

const readers = tableOf<ReadState>({
  DONE: (fields, query) => finished.get(substatusOf(fields))?.(fields, query) ?? pending,
  PENDING: (fields) =>
    substatusOf(fields) === 'REFUND_IN_PROGRESS'
      ? { ...pending, state: 'refunding', reason: 'the swap could not be delivered' }
      : pending,
  FAILED: (fields) => ({
    ...pending,
    state: 'failed',
    reason: failures.get(substatusOf(fields)) ?? 'the route could not be completed',
  }),
  INVALID: () => ({ ...pending, state: 'failed', reason: 'the transaction does not carry out this swap' }),
});

export function readStatus(reply: unknown, query: SwapStatusQuery): SwapStatus {
  const fields = readFields(reply, 'the status');
  const sending = readFields(fields['sending'] ?? {}, 'sending');
  const isOther =
    (!isAbsent(sending['txHash']) &&
      readTxHash(sending['txHash'], 'sending.txHash') !== query.txHash.toLowerCase()) ||
    (!isAbsent(sending['chainId']) &&
      readChainId(sending['chainId'], 'sending.chainId') !== query.from.chain);
  if (isOther) throw new UnreadableReply('the reply is for another transfer');
  // NOT_FOUND and unknown states are not final.
  return readers.get(readPlainText(fields['status'], 'status'))?.(fields, query) ?? pending;
}

const substatusOf = (fields: Fields): string => readOptionalText(fields['substatus'], 'substatus') ?? '';

function readDelivery(fields: Fields, { to }: SwapStatusQuery): SwapStatus {
  const receiving = readFields(fields['receiving'], 'receiving');
  if (readChainId(receiving['chainId'], 'receiving.chainId') !== to.chain)
    throw new UnreadableReply('the transfer arrived on another chain');
  // Without the transaction hash, the delivery cannot be verified.
  const delivered = {
    ...pending,
    state: 'delivered',
    deliveryTxHash: readTxHash(receiving['txHash'], 'receiving.txHash'),
  } as const;
  if (isAbsent(receiving['token'])) return delivered;
  const { chain, address } = readToken(receiving['token'], 'receiving.token');
  return tokenKey(chain, address) === tokenKey(to.chain, to.address) ? delivered : otherToken(delivered);
}

const otherToken = (delivered: SwapStatus): SwapStatus => ({
  ...delivered,
  state: 'deliveredOther',
  reason: 'the last swap failed, and another token was delivered',
});
