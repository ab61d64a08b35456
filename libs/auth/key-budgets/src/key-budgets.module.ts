import { Global, Module } from '@nestjs/common';
import { BusClient } from '@tollbridge/rpc';
import { KeyBudgets } from './key-budgets';

/** Provides `KeyBudgets`, which reserves the spends of API keys in the merchant app. */
@Global()
@Module({
  providers: [
    { provide: KeyBudgets, inject: [BusClient], useFactory: (client: BusClient) => new KeyBudgets(client) },
  ],
  exports: [KeyBudgets],
})
export class KeyBudgetsModule {}
