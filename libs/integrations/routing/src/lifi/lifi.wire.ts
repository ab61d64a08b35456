// The provider's shapes, read field by field. Pure. Source: the types of its SDK 4.3.0 and its documentation.
import { ZeroAddress } from 'ethers';
import { tokenKey } from '@tollbridge/chains';
import type { RouteToken } from '../cross-chain-routes';
import { addressOf, callDataOf, chainIdOf, nameOf, quantityOf, tokenOf, txHashOf } from '../evm-wire';
import type { SwapAnswer } from '../swap-answer';
import type { SwapFee, SwapStatus, SwapStatusQuery, SwapStep, SwapStepType } from '../swap-routes';
import { pending } from '../swap-status';
import {
  amountOf,
  fieldsOf,
  isAbsent,
  optionalText,
  secondsOf,
  tableOf,
  textOf,
  UnreadableReply,
  type Fields,
} from '../wire-fields';

export interface LiFiAnswer extends SwapAnswer {
  sender: string;
  recipient: string;
}

export function readAnswer(reply: unknown): LiFiAnswer {
  const fields = fieldsOf(reply, 'the quote');
  const action = fieldsOf(fields['action'], 'action');
  const estimate = fieldsOf(fields['estimate'], 'estimate');
  const from = tokenIn(action, 'fromToken');
  const sender = addressOf(action, 'fromAddress');
  return {
    from,
    to: tokenIn(action, 'toToken'),
    sender,
    recipient: isAbsent(action['toAddress']) ? sender : addressOf(action, 'toAddress'),
    amountInAtomic: amountOf(estimate, 'fromAmount'),
    amountOutAtomic: amountOf(estimate, 'toAmount'),
    minAmountOutAtomic: amountOf(estimate, 'toAmountMin'),
    steps: readSteps(fields['includedSteps']),
    fees: readFees(estimate['feeCosts']),
    estimatedSeconds: secondsOf(estimate, 'executionDuration'),
    // Quotes have no expiry; the transaction enforces the minimum.
    expiresAt: null,
    spender: from.address === null ? ZeroAddress : addressOf(estimate, 'approvalAddress'),
    transaction: readTransaction(fieldsOf(fields['transactionRequest'], 'transactionRequest')),
  };
}

const tokenIn = (fields: Fields, name: string): RouteToken => tokenOf(fieldsOf(fields[name], name));

function readTransaction(transaction: Fields): SwapAnswer['transaction'] {
  return {
    chain: chainIdOf(transaction, 'chainId'),
    to: addressOf(transaction, 'to'),
    data: callDataOf(transaction, 'data'),
    valueAtomic: isAbsent(transaction['value']) ? 0n : quantityOf(transaction, 'value'),
    gasUnits: isAbsent(transaction['gasLimit']) ? null : quantityOf(transaction, 'gasLimit') || null,
  };
}

/** A part of the route: a swap, a bridge, or a fee. */
interface Part extends Omit<SwapStep, 'type'> {
  isCrossing: boolean;
}

// A route has a handful of parts.
const maxParts = 20;

/** Merges the parts before, in and after the bridges into one step each. */
function readSteps(list: unknown): SwapStep[] {
  if (!Array.isArray(list) || list.length > maxParts) throw new UnreadableReply('includedSteps is no list');
  const parts = list.map((item) => readPart(fieldsOf(item, 'a step'))).filter(isMoving);
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
  const [action, estimate] = [fieldsOf(step['action'], 'action'), fieldsOf(step['estimate'], 'estimate')];
  return {
    isCrossing: textOf(step, 'type') === 'cross',
    venue: nameOf(step, 'tool'),
    tokenIn: tokenIn(action, 'fromToken'),
    tokenOut: tokenIn(action, 'toToken'),
    amountInAtomic: amountOf(estimate, 'fromAmount'),
    amountOutAtomic: amountOf(estimate, 'toAmount'),
  };
}

/** A fee part does not change the token. */
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
  if (!Array.isArray(list) || list.length > maxFees) throw new UnreadableReply('feeCosts is no list');
  return list.flatMap((item) => {
    const fields = fieldsOf(item, 'a fee');
    const amountAtomic = amountOf(fields, 'amount');
    const { included } = fields;
    if (typeof included !== 'boolean') throw new UnreadableReply('included is no answer');
    const fee = { name: nameOf(fields, 'name'), token: tokenIn(fields, 'token') };
    return amountAtomic === 0n ? [] : [{ ...fee, amountAtomic, isIncluded: included }];
  });
}

/** Maps LI.FI's failure reasons to our texts. */
const failures = tableOf({
  INSUFFICIENT_ALLOWANCE: 'the allowance was too low',
  INSUFFICIENT_BALANCE: 'the balance was too low',
  OUT_OF_GAS: 'the gas did not suffice',
  EXPIRED: 'it was sent too late',
  SLIPPAGE_EXCEEDED: 'the price moved too far',
});

type ReadState = (fields: Fields, query: SwapStatusQuery) => SwapStatus;

const finished = tableOf<ReadState>({
  COMPLETED: (fields, query) => readDelivery(fields, query),
  PARTIAL: (fields, query) => otherToken(readDelivery(fields, query)),
  // Final, without success.
  REFUNDED: (fields, { from }) => {
    const receiving = fieldsOf(fields['receiving'] ?? {}, 'receiving');
    const isOnOrigin = !isAbsent(receiving['chainId']) && chainIdOf(receiving, 'chainId') === from.chain;
    const isReported = isOnOrigin && optionalText(receiving, 'txHash') !== null;
    return {
      ...pending,
      state: 'refunded',
      refundTxHash: isReported ? txHashOf(receiving, 'txHash') : null,
      reason: 'it could not be delivered',
    };
  },
});

const readers = tableOf<ReadState>({
  DONE: (fields, query) => finished.get(substatusOf(fields))?.(fields, query) ?? pending,
  PENDING: (fields) =>
    substatusOf(fields) === 'REFUND_IN_PROGRESS'
      ? { ...pending, state: 'refunding', reason: 'it could not be delivered' }
      : pending,
  FAILED: (fields) => ({
    ...pending,
    state: 'failed',
    reason: failures.get(substatusOf(fields)) ?? 'the route could not be completed',
  }),
  INVALID: () => ({ ...pending, state: 'failed', reason: 'the transaction is no swap of this route' }),
});

export function readStatus(reply: unknown, query: SwapStatusQuery): SwapStatus {
  const fields = fieldsOf(reply, 'the status');
  const sending = fieldsOf(fields['sending'] ?? {}, 'sending');
  const isOther =
    (!isAbsent(sending['txHash']) && txHashOf(sending, 'txHash') !== query.txHash.toLowerCase()) ||
    (!isAbsent(sending['chainId']) && chainIdOf(sending, 'chainId') !== query.from.chain);
  if (isOther) throw new UnreadableReply('it is the status of another transfer');
  // NOT_FOUND and unknown states are not final.
  return readers.get(textOf(fields, 'status'))?.(fields, query) ?? pending;
}

const substatusOf = (fields: Fields): string => optionalText(fields, 'substatus') ?? '';

function readDelivery(fields: Fields, { to }: SwapStatusQuery): SwapStatus {
  const receiving = fieldsOf(fields['receiving'], 'receiving');
  if (chainIdOf(receiving, 'chainId') !== to.chain) throw new UnreadableReply('it arrived on another chain');
  // Without the transaction, the delivery cannot be verified.
  const delivered = {
    ...pending,
    state: 'delivered',
    deliveryTxHash: txHashOf(receiving, 'txHash'),
  } as const;
  if (isAbsent(receiving['token'])) return delivered;
  const { chain, address } = tokenIn(receiving, 'token');
  return tokenKey(chain, address) === tokenKey(to.chain, to.address) ? delivered : otherToken(delivered);
}

const otherToken = (delivered: SwapStatus): SwapStatus => ({
  ...delivered,
  state: 'deliveredOther',
  reason: 'the last swap failed, and another token was delivered',
});
