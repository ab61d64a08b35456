import { Global, Module } from '@nestjs/common';
import { BusClient } from '@tollbridge/rpc';
import { KeyBudgets } from './key-budgets';

/** Reserves what an API key spends in the merchant app. Features inject `KeyBudgets`. */
@Global()
@Module({
  providers: [
    { provide: KeyBudgets, inject: [BusClient], useFactory: (client: BusClient) => new KeyBudgets(client) },
  ],
  exports: [KeyBudgets],
})
export class KeyBudgetsModule {}
