// Parses the replies of Across field by field. Pure. Source: the public types of its API and its documentation.
import {
  type Fields,
  UnreadableReply,
  isAbsent,
  readAmount,
  readFields,
  readOptional,
} from '@tollbridge/http';
import { readEvmAddress, readCallData, readChainId, readName, readToken, readTxHash } from '../evm-wire';
import type { SwapAnswer } from '../swap-answer';
import type { SwapFee, SwapStatus, SwapStatusQuery, SwapStep, SwapStepType } from '../swap-routes';
import { pending } from '../swap-status';
import { readSeconds, tableOf, readPlainText } from '../wire-fields';

export function readAnswer(reply: unknown): SwapAnswer {
  const fields = readFields(reply, 'the quote');
  const steps = readFields(fields['steps'], 'steps');
  const bridge = readFields(steps['bridge'], 'steps.bridge');
  const transaction = readFields(fields['swapTx'], 'swapTx');
  const allowance = readFields(readFields(fields['checks'], 'checks')['allowance'], 'checks.allowance');
  if (transaction['ecosystem'] !== 'evm') throw new UnreadableReply('swapTx is not for an EVM chain');
  return {
    from: readToken(fields['inputToken'], 'inputToken'),
    to: readToken(fields['outputToken'], 'outputToken'),
    amountInAtomic: readAmount(fields['inputAmount'], 'inputAmount'),
    amountOutAtomic: readAmount(fields['expectedOutputAmount'], 'expectedOutputAmount'),
    minAmountOutAtomic: readAmount(fields['minOutputAmount'], 'minOutputAmount'),
    steps: [
      ...readSwap('originSwap', steps),
      readStep('bridge', bridge, readOptional(bridge['provider'], 'bridge.provider', readName) ?? 'across'),
      ...readSwap('destinationSwap', steps),
    ],
    fees: readFees(bridge),
    estimatedSeconds: readSeconds(fields['expectedFillTime'], 'expectedFillTime'),
    expiresAt: expiryOf(fields),
    spender: readEvmAddress(allowance['spender'], 'allowance.spender'),
    transaction: {
      chain: readChainId(transaction['chainId'], 'transaction.chainId'),
      to: readEvmAddress(transaction['to'], 'transaction.to'),
      data: readCallData(transaction['data'], 'transaction.data'),
      valueAtomic: readOptional(transaction['value'], 'transaction.value', readAmount) ?? 0n,
      // It is 0 if the simulation failed.
      gasUnits: readOptional(transaction['gas'], 'transaction.gas', readAmount) || null,
    },
  };
}

function readSwap(type: 'originSwap' | 'destinationSwap', steps: Fields): SwapStep[] {
  if (isAbsent(steps[type])) return [];
  const swap = readFields(steps[type], `steps.${type}`);
  return [
    readStep(
      type,
      swap,
      readName(readFields(swap['swapProvider'], 'swapProvider')['name'], 'swapProvider.name'),
    ),
  ];
}

function readStep(type: SwapStepType, step: Fields, venue: string): SwapStep {
  return {
    type,
    venue,
    tokenIn: readToken(step['tokenIn'], 'step.tokenIn'),
    tokenOut: readToken(step['tokenOut'], 'step.tokenOut'),
    amountInAtomic: readAmount(step['inputAmount'], 'step.inputAmount'),
    amountOutAtomic: readAmount(step['outputAmount'], 'step.outputAmount'),
  };
}

/**
 * Returns the bridge fee, which is deducted from the output. The total fee is not used, because it includes the losses
 * of swaps.
 */
function readFees(bridge: Fields): SwapFee[] {
  if (isAbsent(bridge['fees'])) return [];
  const fees = readFields(bridge['fees'], 'steps.bridge.fees');
  const amountAtomic = readOptional(fees['amount'], 'fees.amount', readAmount) ?? 0n;
  if (amountAtomic === 0n) return [];
  return [
    { name: 'Bridge fee', token: readToken(fees['token'], 'fees.token'), amountAtomic, isIncluded: true },
  ];
}

// Larger numbers are milliseconds or errors.
const latestUnixSeconds = Date.UTC(2100, 0) / 1_000;

/** Returns null for 0. */
function expiryOf(fields: Fields): Date | null {
  const value = fields['quoteExpiryTimestamp'] ?? 0;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > latestUnixSeconds)
    throw new UnreadableReply('quoteExpiryTimestamp is not a time');
  return value === 0 ? null : new Date(value * 1_000);
}

type ReadState = (fields: Fields) => SwapStatus;

const readers = tableOf<ReadState>({
  filled: (fields) => {
    const isOther = fields['actionsSucceeded'] === false;
    return {
      ...pending,
      state: isOther ? 'deliveredOther' : 'delivered',
      // Without the transaction hash, the delivery cannot be verified.
      deliveryTxHash: readTxHash(fields['fillTxnRef'], 'fillTxnRef'),
      reason: isOther ? 'the last swap failed, and the bridged token was delivered' : null,
    };
  },
  expired: () => ({ ...pending, state: 'refunding', reason: 'not filled before the deadline' }),
  refunded: (fields) => ({
    ...pending,
    state: 'refunded',
    refundTxHash: readOptional(fields['depositRefundTxnRef'], 'depositRefundTxnRef', readTxHash),
    reason: 'not filled before the deadline',
  }),
});

export function readStatus(reply: unknown, { from, to, txHash }: SwapStatusQuery): SwapStatus {
  const fields = readFields(reply, 'the status');
  const isOther =
    (!isAbsent(fields['depositTxnRef']) &&
      readTxHash(fields['depositTxnRef'], 'depositTxnRef') !== txHash.toLowerCase()) ||
    (!isAbsent(fields['originChainId']) &&
      readChainId(fields['originChainId'], 'originChainId') !== from.chain) ||
    (!isAbsent(fields['destinationChainId']) &&
      readChainId(fields['destinationChainId'], 'destinationChainId') !== to.chain);
  if (isOther) throw new UnreadableReply('the reply is for another deposit');
  // Unknown states are not final.
  return readers.get(readPlainText(fields['status'], 'status'))?.(fields) ?? pending;
}
