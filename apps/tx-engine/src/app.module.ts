import { Module } from '@nestjs/common';
import { OutboxModule, RetentionModule } from '@tollbridge/bootstrap';
import { KeyBudgetsModule } from '@tollbridge/key-budgets';
import { ChainsModule } from './chains/chains.module';
import { QuotesModule } from './quotes/quotes.module';
import { TransactionsModule } from './transactions/transactions.module';

@Module({
  imports: [OutboxModule, RetentionModule, KeyBudgetsModule, ChainsModule, QuotesModule, TransactionsModule],
})
export class TxEngineModule {}
