import { Module } from '@nestjs/common';
import { SigningModule } from '../signing/signing.module';
import { LeaseRepository } from './lease.repository';
import { LedgerLease } from './ledger-lease';
import { LedgerScopeRepository } from './ledger-scope.repository';

/** Allows one process at a time to write the ledger. */
@Module({
  imports: [SigningModule],
  providers: [LeaseRepository, LedgerScopeRepository, LedgerLease],
  exports: [LedgerLease, LedgerScopeRepository],
})
export class LeaseModule {}
