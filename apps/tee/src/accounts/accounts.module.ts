import { Module } from '@nestjs/common';
import { AttestationModule } from '../attestation/attestation.module';
import { LedgerModule } from '../ledger/ledger.module';
import { PaymentsModule } from '../payments/payments.module';
import { SigningModule } from '../signing/signing.module';
import { VerificationModule } from '../verification/verification.module';
import { AccountsHandlers } from './accounts.handlers';
import { LedgerStats } from './ledger-stats';
import { OwnerOrders } from './owner-orders';
import { OwnerProofs } from './owner-proof';

/** Balances and payment lookups, and the orders of account owners: policies, approvals, cancellations. */
@Module({
  imports: [AttestationModule, LedgerModule, PaymentsModule, SigningModule, VerificationModule],
  controllers: [AccountsHandlers],
  providers: [LedgerStats, OwnerProofs, OwnerOrders],
  exports: [OwnerProofs, OwnerOrders],
})
export class AccountsModule {}
