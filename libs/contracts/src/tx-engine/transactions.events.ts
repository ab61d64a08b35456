import { events, Flag, Integer, OneOf } from '@tollbridge/rpc';
import { TransactionId, TxHash, UnixSeconds } from './fields';
import { stepTypes, type StepType } from './quotes.api';
import { transactionStates, type TransactionState } from './transactions.api';

/** What the stream pushes as `data` of a `transaction_update`. */
export class TransactionUpdate {
  @TransactionId()
  transactionId: string;
  @OneOf(transactionStates, { description: 'State of the set', example: 'confirming' })
  status: TransactionState;
  @OneOf(stepTypes, { description: 'The step under way', example: 'originSwap' })
  step: StepType;
  @TxHash({ description: 'Its transaction; null before it is sent', nullable: true })
  txHash: string | null;
  @Integer({ description: 'Confirmations so far', example: 1, min: 0 })
  confirmations: number;
  @Integer({ description: 'Confirmations needed', example: 3, min: 1 })
  requiredConfirmations: number;
  @UnixSeconds({ description: 'When it changed, Unix seconds' })
  timestamp: number;
  @Integer({ description: 'Counts the changes of this set: a lower one is older', example: 5, min: 1 })
  version: number;
  @Flag({
    description:
      'True where the set has failed after what was swapped had left the wallet, and was not given back; absent or false otherwise',
    optional: true,
    example: false,
  })
  spent?: boolean;
}

export const transactionEvents = events('tx-engine', {
  'transaction-updated': {
    version: 1,
    summary:
      'A set of transactions got further: its state, its step, its transaction or its confirmations changed',
    data: TransactionUpdate,
    isPerAggregate: true,
  },
});
