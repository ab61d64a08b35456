import { Injectable } from '@nestjs/common';
import { DomainError, snapshotsApi, type TransactionUpdate } from '@tollbridge/contracts';
import { BusClient } from '@tollbridge/rpc';

/** Reads the current state of a transaction set. */
export abstract class Snapshots {
  /** @returns undefined for an unknown set */
  abstract find(transactionId: string): Promise<TransactionUpdate | undefined>;
}

@Injectable()
export class BusSnapshots extends Snapshots {
  constructor(private readonly bus: BusClient) {
    super();
  }

  async find(transactionId: string): Promise<TransactionUpdate | undefined> {
    try {
      return await this.bus.call(snapshotsApi.operations.snapshot, { transactionId });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }
}
