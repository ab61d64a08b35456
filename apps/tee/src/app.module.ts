import { Module } from '@nestjs/common';
import { OutboxModule, RetentionModule } from '@tollbridge/bootstrap';
import { AccountsModule } from './accounts/accounts.module';
import { MoneyModule } from './money/money.module';
import { PaymentsModule } from './payments/payments.module';

/** The payment ledger service. */
@Module({ imports: [OutboxModule, RetentionModule, AccountsModule, MoneyModule, PaymentsModule] })
export class TeeModule {}
