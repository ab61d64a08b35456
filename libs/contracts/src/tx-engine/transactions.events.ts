import { events } from '@tollbridge/rpc';
import { Flag, Integer, OneOf, Unsigned } from '../decorators';
import { TxHash } from '../pay-orders/fields';
import { TransactionId, UnixSeconds } from './fields';
import { stepTypes, type StepType } from './quotes.api';
import { transactionStates, type TransactionState } from './transactions.api';

/** The `data` of a `transaction_update` in the stream. */
export class TransactionUpdate {
  @TransactionId() transactionId: string;
  @OneOf(transactionStates, 'State of the transaction set', { example: 'confirming' })
  status: TransactionState;
  @OneOf(stepTypes, 'Current step', { example: 'originSwap' }) step: StepType;
  @TxHash('Transaction of the step; null before it is sent', { nullable: true }) txHash: string | null;
  @Unsigned('Current confirmations', { example: 1 }) confirmations: number;
  @Integer('Required confirmations', { example: 3, min: 1 }) requiredConfirmations: number;
  @UnixSeconds('Time of the change, Unix seconds') timestamp: number;
  @Integer('Version of the set: increases with each change; ignore a lower one', { example: 5, min: 1 })
  version: number;
  @Flag(
    'True when the set failed after the swapped amount had left the wallet, and the amount was not returned; absent or false otherwise',
    { optional: true, example: false },
  )
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
