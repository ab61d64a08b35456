import type { ExecutedBatch } from '@tollbridge/contracts';
import {
  batchHashOf,
  batchOutcome,
  reservedQueryId,
  type AccountTransaction,
  type TonAccountReader,
} from '@tollbridge/ton';

// A hundred requests. The limit is needed, because anyone may send any number of messages to the wallet.
const mostAtOnce = 3_200;

/** The newest batch that the wallet contract executed. Each transaction is read once, in portions. */
export class NewestBatch {
  private found: ExecutedBatch | undefined;
  /** All transactions up to this logical time were read, or a newer one was a batch. */
  private readTo = 0n;
  /** An unfinished walk from the newest transaction down to `readTo`. */
  private walk: { newestLt: bigint; last: AccountTransaction } | undefined;

  /** Undefined without a batch. The operator's own messages under the reserved id do not count as batches. */
  get batch(): ExecutedBatch | undefined {
    return this.found;
  }

  /** @returns false while transactions are left to read; call it again then, and after an error */
  async update(reader: Pick<TonAccountReader, 'newestFirst'>, contract: string): Promise<boolean> {
    // Transactions that arrived since the start of an unfinished walk are read after its end.
    if (this.walk && !(await this.read(reader, contract))) return false;
    return this.read(reader, contract);
  }

  private async read(reader: Pick<TonAccountReader, 'newestFirst'>, contract: string): Promise<boolean> {
    let count = 0;
    for await (const transaction of reader.newestFirst(contract, this.walk?.last)) {
      if (transaction.lt <= this.readTo) break;
      const batch = batchOutcome(transaction);
      const isFound = batch && batch.queryId !== reservedQueryId;
      if (isFound) this.found = { queryId: batch.queryId, hash: await batchHashOf(transaction) };
      this.walk = { newestLt: this.walk?.newestLt ?? transaction.lt, last: transaction };
      if (isFound) break;
      if (++count === mostAtOnce) return false;
    }
    this.readTo = this.walk?.newestLt ?? this.readTo;
    this.walk = undefined;
    return true;
  }
}
