import { Module } from '@nestjs/common';
import { OutboxWorker } from '@tollbridge/service';
import { DemoKey } from './keys/demo-key';
import { KeysHandlers } from './keys/keys.handlers';
import { KeysRepository } from './keys/keys.repository';
import { SecretHash } from './keys/secret-hash';

@Module({
  controllers: [KeysHandlers],
  providers: [OutboxWorker, KeysRepository, SecretHash, DemoKey],
})
export class MerchantModule {}
