import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { TransactionId } from './fields';
import { TransactionUpdate } from './transactions.events';

export class SnapshotQuery {
  @TransactionId()
  transactionId: string;
}

/** What the stream asks when somebody begins to listen. */
export const snapshotsApi = internalFeature('tx-engine', 'transactions', {
  snapshot: internalOperation({
    summary: 'Read the state of a set of transactions as the stream pushes it',
    input: SnapshotQuery,
    output: TransactionUpdate,
    errors: ['NOT_FOUND'],
    // Who waits for it waits for the first message on a socket.
    timeoutMs: 5_000,
  }),
});
