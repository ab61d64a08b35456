import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { PaidOperations } from '../sales/paid-operations';
import { OperationRoutes } from './operation-routes';

@Module({ imports: [IdempotencyModule], providers: [OperationRoutes, PaidOperations] })
export class OperationsModule {}
