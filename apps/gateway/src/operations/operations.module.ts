import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { SalesDesk } from '../sales/sales-desk';
import { OperationRoutes } from './operation-routes';

@Module({ imports: [IdempotencyModule], providers: [OperationRoutes, SalesDesk] })
export class OperationsModule {}
