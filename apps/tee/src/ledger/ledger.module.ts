import { Module } from '@nestjs/common';
import { LeaseModule } from '../lease/lease.module';
import { SigningModule } from '../signing/signing.module';
import { LedgerAudit } from './ledger-audit';
import { LedgerRepository } from './storage/ledger.repository';
import { LedgerSumsRepository } from './storage/ledger-sums.repository';
import { LedgerWriter } from './storage/ledger-writer';

/** Accounts and payments: the state in memory, its single writer, and the audit of its sums. */
@Module({
  imports: [LeaseModule, SigningModule],
  providers: [LedgerRepository, LedgerSumsRepository, LedgerWriter, LedgerAudit],
  exports: [LedgerRepository, LedgerSumsRepository, LedgerWriter],
})
export class LedgerModule {}
