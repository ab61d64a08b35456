// The provider's shapes, read field by field. Pure. Source: the public types of its API and its documentation.
import type { RouteToken } from '../cross-chain-routes';
import { addressOf, callDataOf, chainIdOf, nameOf, tokenOf, txHashOf } from '../evm-wire';
import type { SwapAnswer } from '../swap-answer';
import type { SwapFee, SwapStatus, SwapStatusQuery, SwapStep, SwapStepType } from '../swap-routes';
import { pending } from '../swap-status';
import {
  amountOf,
  fieldsOf,
  isAbsent,
  optionalAmount,
  secondsOf,
  tableOf,
  textOf,
  UnreadableReply,
  type Fields,
} from '../wire-fields';

export function readAnswer(reply: unknown): SwapAnswer {
  const fields = fieldsOf(reply, 'the quote');
  const steps = fieldsOf(fields['steps'], 'steps');
  const bridge = fieldsOf(steps['bridge'], 'steps.bridge');
  const transaction = fieldsOf(fields['swapTx'], 'swapTx');
  const allowance = fieldsOf(fieldsOf(fields['checks'], 'checks')['allowance'], 'checks.allowance');
  if (transaction['ecosystem'] !== 'evm') throw new UnreadableReply('swapTx is for no EVM chain');
  return {
    from: tokenIn(fields, 'inputToken'),
    to: tokenIn(fields, 'outputToken'),
    amountInAtomic: amountOf(fields, 'inputAmount'),
    amountOutAtomic: amountOf(fields, 'expectedOutputAmount'),
    minAmountOutAtomic: amountOf(fields, 'minOutputAmount'),
    steps: [
      ...readSwap('originSwap', steps),
      readStep('bridge', bridge, isAbsent(bridge['provider']) ? 'across' : nameOf(bridge, 'provider')),
      ...readSwap('destinationSwap', steps),
    ],
    fees: readFees(bridge),
    estimatedSeconds: secondsOf(fields, 'expectedFillTime'),
    expiresAt: expiryOf(fields),
    spender: addressOf(allowance, 'spender'),
    transaction: {
      chain: chainIdOf(transaction, 'chainId'),
      to: addressOf(transaction, 'to'),
      data: callDataOf(transaction, 'data'),
      valueAtomic: optionalAmount(transaction, 'value') ?? 0n,
      // 0 if the simulation failed.
      gasUnits: optionalAmount(transaction, 'gas') || null,
    },
  };
}

const tokenIn = (fields: Fields, name: string): RouteToken => tokenOf(fieldsOf(fields[name], name));

function readSwap(type: 'originSwap' | 'destinationSwap', steps: Fields): SwapStep[] {
  if (isAbsent(steps[type])) return [];
  const swap = fieldsOf(steps[type], `steps.${type}`);
  return [readStep(type, swap, nameOf(fieldsOf(swap['swapProvider'], 'swapProvider'), 'name'))];
}

function readStep(type: SwapStepType, step: Fields, venue: string): SwapStep {
  return {
    type,
    venue,
    tokenIn: tokenIn(step, 'tokenIn'),
    tokenOut: tokenIn(step, 'tokenOut'),
    amountInAtomic: amountOf(step, 'inputAmount'),
    amountOutAtomic: amountOf(step, 'outputAmount'),
  };
}

/** The total of its fees includes the losses of swaps; bridge fees are taken from the output. */
function readFees(bridge: Fields): SwapFee[] {
  if (isAbsent(bridge['fees'])) return [];
  const fees = fieldsOf(bridge['fees'], 'steps.bridge.fees');
  const amountAtomic = optionalAmount(fees, 'amount') ?? 0n;
  if (amountAtomic === 0n) return [];
  return [{ name: 'Bridge fee', token: tokenIn(fees, 'token'), amountAtomic, isIncluded: true }];
}

// Larger numbers are milliseconds or errors.
const latestUnixSeconds = Date.UTC(2100, 0) / 1_000;

/** Returns null for 0. */
function expiryOf(fields: Fields): Date | null {
  const value = fields['quoteExpiryTimestamp'] ?? 0;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > latestUnixSeconds)
    throw new UnreadableReply('quoteExpiryTimestamp is no time');
  return value === 0 ? null : new Date(value * 1_000);
}

type ReadState = (fields: Fields) => SwapStatus;

const readers = tableOf<ReadState>({
  filled: (fields) => {
    const isOther = fields['actionsSucceeded'] === false;
    return {
      ...pending,
      state: isOther ? 'deliveredOther' : 'delivered',
      // Without the transaction, the delivery cannot be verified.
      deliveryTxHash: txHashOf(fields, 'fillTxnRef'),
      reason: isOther ? 'the last swap failed, and the bridged token was delivered' : null,
    };
  },
  expired: () => ({ ...pending, state: 'refunding', reason: 'not filled before the deadline' }),
  refunded: (fields) => ({
    ...pending,
    state: 'refunded',
    refundTxHash: isAbsent(fields['depositRefundTxnRef']) ? null : txHashOf(fields, 'depositRefundTxnRef'),
    reason: 'not filled before the deadline',
  }),
});

export function readStatus(reply: unknown, { from, to, txHash }: SwapStatusQuery): SwapStatus {
  const fields = fieldsOf(reply, 'the status');
  const isOther =
    (!isAbsent(fields['depositTxnRef']) && txHashOf(fields, 'depositTxnRef') !== txHash.toLowerCase()) ||
    (!isAbsent(fields['originChainId']) && chainIdOf(fields, 'originChainId') !== from.chain) ||
    (!isAbsent(fields['destinationChainId']) && chainIdOf(fields, 'destinationChainId') !== to.chain);
  if (isOther) throw new UnreadableReply('it is the status of another deposit');
  // Unknown states are not final.
  return readers.get(textOf(fields, 'status'))?.(fields) ?? pending;
}
