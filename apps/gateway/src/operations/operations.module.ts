import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { OperationRoutes } from './operation-routes';

@Module({ imports: [IdempotencyModule], providers: [OperationRoutes] })
export class OperationsModule {}
