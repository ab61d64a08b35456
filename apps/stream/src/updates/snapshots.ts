import { Injectable } from '@nestjs/common';
import { DomainError, snapshotsApi, type TransactionUpdate } from '@tollbridge/contracts';
import { BusClient } from '@tollbridge/rpc';

/** Asks for the present state of a set of transactions. */
export abstract class Snapshots {
  /** Nothing for a set that does not exist. */
  abstract of(transactionId: string): Promise<TransactionUpdate | undefined>;
}

@Injectable()
export class BusSnapshots extends Snapshots {
  constructor(private readonly bus: BusClient) {
    super();
  }

  async of(transactionId: string): Promise<TransactionUpdate | undefined> {
    try {
      return await this.bus.call(snapshotsApi.operations.snapshot, { transactionId });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }
}
