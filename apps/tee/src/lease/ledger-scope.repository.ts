import { Injectable } from '@nestjs/common';
import { Database } from '@tollbridge/database';

/** The network, contract and asset that a deployment's signatures are valid for. */
export interface LedgerScope {
  networkId: number;
  verifyingContract: string;
  asset: string;
}

/** Thrown when the database contains the ledger of another deployment. */
export class ForeignLedger extends Error {}

/** Guards the ledger against a process of another deployment. */
@Injectable()
export class LedgerScopeRepository {
  constructor(private readonly database: Database) {}

  /** @throws ForeignLedger if the database contains the ledger of another deployment */
  async check({ networkId, verifyingContract, asset }: LedgerScope): Promise<void> {
    // Compares a row of the ledger table, which the SQL of the lease and of the commit locks.
    const { rowCount } = await this.database.pool.query({
      name: 'ledger-scope',
      text: 'SELECT FROM ledger WHERE network_id IS NULL OR (network_id, verifying_contract, asset) = ($1, $2, $3)',
      values: [networkId, verifyingContract, asset],
    });
    if (rowCount === 0)
      throw new ForeignLedger('this database holds the ledger of another network, contract or asset');
  }
}
