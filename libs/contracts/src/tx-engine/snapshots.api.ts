import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { TransactionId } from './fields';
import { TransactionUpdate } from './transactions.events';

export class SnapshotQuery {
  @TransactionId() transactionId: string;
}

/** Initial state that the stream reads for a new subscription. */
export const snapshotsApi = internalFeature('tx-engine', 'transactions', {
  snapshot: internalOperation({
    isRead: true,
    summary: 'Read the state of a transaction set as the stream pushes it',
    input: SnapshotQuery,
    output: TransactionUpdate,
    errors: ['NOT_FOUND'],
    // A socket's first message waits for this reply.
    timeoutMs: 5_000,
  }),
});
