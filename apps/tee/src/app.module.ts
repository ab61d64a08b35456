import { Module } from '@nestjs/common';
import { OutboxModule } from '@tollbridge/bootstrap';
import { AccountsModule } from './accounts/accounts.module';
import { MoneyModule } from './money/money.module';
import { PaymentsModule } from './payments/payments.module';

/** The payment ledger service. */
@Module({ imports: [OutboxModule, AccountsModule, MoneyModule, PaymentsModule] })
export class TeeModule {}
