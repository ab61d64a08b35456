import { events, Flag, Integer, OneOf } from '@tollbridge/rpc';
import { TransactionId, TxHash, UnixSeconds } from './fields';
import { stepTypes, type StepType } from './quotes.api';
import { transactionStates, type TransactionState } from './transactions.api';

/** The `data` that the stream pushes in a `transaction_update`. */
export class TransactionUpdate {
  @TransactionId()
  transactionId: string;
  @OneOf(transactionStates, { description: 'State of the transaction set', example: 'confirming' })
  status: TransactionState;
  @OneOf(stepTypes, { description: 'Current step', example: 'originSwap' })
  step: StepType;
  @TxHash({ description: 'Transaction of the step; null before it is sent', nullable: true })
  txHash: string | null;
  @Integer({ description: 'Current confirmations', example: 1, min: 0 })
  confirmations: number;
  @Integer({ description: 'Required confirmations', example: 3, min: 1 })
  requiredConfirmations: number;
  @UnixSeconds({ description: 'Time of the change, Unix seconds' })
  timestamp: number;
  @Integer({
    description: 'Version of the set: increases with each change; ignore a lower one',
    example: 5,
    min: 1,
  })
  version: number;
  @Flag({
    description:
      'True when the set failed after the swapped amount had left the wallet, and the amount was not returned; absent or false otherwise',
    optional: true,
    example: false,
  })
  spent?: boolean;
}

export const transactionEvents = events('tx-engine', {
  'transaction-updated': {
    version: 1,
    summary: 'The state, step, transaction or confirmations of a transaction set changed',
    data: TransactionUpdate,
    isPerAggregate: true,
  },
});
