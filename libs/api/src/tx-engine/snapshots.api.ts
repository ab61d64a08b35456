import { feature, operation } from '@tollbridge/bus';
import { TransactionId } from './fields';
import { TransactionUpdate } from './transactions.events';

export class SnapshotQuery {
  @TransactionId()
  transactionId: string;
}

/** What services ask inside: it has no route. */
export const snapshotsApi = feature('tx-engine', 'transactions', 'Snapshots', {
  snapshot: operation({
    method: 'GET',
    path: '/internal/snapshot',
    auth: 'public',
    summary: 'Read the state of a set of transactions as the stream pushes it',
    input: SnapshotQuery,
    output: TransactionUpdate,
    errors: ['NOT_FOUND'],
    // Who waits for it waits for the first message on a socket.
    timeoutMs: 5_000,
  }),
});
