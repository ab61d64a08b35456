import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module';
import { ChargesModule } from './charges/charges.module';
import { VerificationModule } from './verification/verification.module';

/** Nano-payments: the public operations, and the connection between the chain and the payment ledger service. */
@Module({ imports: [AccountsModule, ChargesModule, VerificationModule] })
export class NanopayModule {}
