import { Module } from '@nestjs/common';
import { ExceptionsHandlers } from './exceptions.handlers';
import { ExceptionsRepository } from './exceptions.repository';
import { OrderExceptions } from './order-exceptions';

/** Money that arrived in another form than it was asked for. Features record it by `recordException`. */
@Module({
  controllers: [ExceptionsHandlers],
  providers: [ExceptionsRepository, OrderExceptions],
  exports: [OrderExceptions],
})
export class ExceptionsModule {}
