import { Module } from '@nestjs/common';
import { ClientAddressModule } from '../client-address/client-address.module';
import { IdempotencyKeys } from './idempotency-keys';

@Module({ imports: [ClientAddressModule], providers: [IdempotencyKeys], exports: [IdempotencyKeys] })
export class IdempotencyModule {}
