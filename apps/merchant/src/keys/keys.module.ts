import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/budgets.module';
import { PeppersModule } from '../peppers/peppers.module';
import { ApiKeysHandlers } from './api-keys.handlers';
import { DemoKey } from './demo-key';
import { KeyPlansHandlers } from './key-plans.handlers';
import { KeyPlansRepository } from './key-plans.repository';
import { KeysHandlers } from './keys.handlers';
import { KeysRepository } from './keys.repository';
import { SecretHash } from './secret-hash';

/** API keys: the operations of their owners, authentication, and plans. */
@Module({
  imports: [BudgetsModule, PeppersModule],
  controllers: [KeysHandlers, ApiKeysHandlers, KeyPlansHandlers],
  providers: [KeysRepository, KeyPlansRepository, SecretHash, DemoKey],
  exports: [SecretHash],
})
export class KeysModule {}
