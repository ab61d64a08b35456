import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module';
import { VerificationModule } from './verification/verification.module';

/** Nano-payments: the public operations, and the link between the chain and the payment ledger service. */
@Module({ imports: [AccountsModule, VerificationModule] })
export class NanopayModule {}
