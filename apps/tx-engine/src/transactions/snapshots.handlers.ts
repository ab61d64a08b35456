import { Controller, Inject } from '@nestjs/common';
import { snapshotsApi, type SnapshotQuery, type TransactionUpdate } from '@tollbridge/contracts';
import { DomainError, Handles, isUuid } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import { updateOf } from './set-view';
import { SetsRepository } from './storage/sets.repository';

@Controller()
@Handles(snapshotsApi)
export class SnapshotsHandlers {
  constructor(
    private readonly sets: SetsRepository,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async snapshot({ transactionId }: SnapshotQuery): Promise<TransactionUpdate> {
    const set = isUuid(transactionId) ? await this.sets.find(transactionId) : undefined;
    if (!set) throw new DomainError('NOT_FOUND', 'The transaction does not exist. Check transactionId.');
    return updateOf(set, this.clock.now());
  }
}
