import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { TransactionId } from './fields';
import { TransactionUpdate } from './transactions.events';

export class SnapshotQuery {
  @TransactionId() transactionId: string;
}

/** Returns the initial state for a new subscription of the stream. */
export const snapshotsApi = internalFeature('tx-engine', 'transactions', {
  snapshot: internalOperation({
    isRead: true,
    summary: 'Read the state of a transaction set as the stream pushes it',
    input: SnapshotQuery,
    output: TransactionUpdate,
    errors: ['NOT_FOUND'],
    // The first message on a socket waits for this reply.
    timeoutMs: 5_000,
  }),
});
