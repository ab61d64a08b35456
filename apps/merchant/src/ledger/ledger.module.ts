import { Module } from '@nestjs/common';
import { PaymentReferencesModule } from '../payments/requests/payment-references.module';
import { LedgerChecks } from './ledger-checks';
import { LedgerProofRepository } from './ledger-proof.repository';
import { LedgerHandlers } from './ledger.handlers';
import { LedgerListener } from './ledger.listener';
import { LedgerRepository } from './ledger.repository';
import { LedgerWorker } from './ledger.worker';

/** The double-entry ledger of each merchant, and its verification. */
@Module({
  imports: [PaymentReferencesModule],
  controllers: [LedgerHandlers],
  providers: [LedgerRepository, LedgerProofRepository, LedgerChecks, LedgerWorker, LedgerListener],
  exports: [LedgerListener],
})
export class LedgerModule {}
