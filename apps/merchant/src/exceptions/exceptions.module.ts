import { Module } from '@nestjs/common';
import { ExceptionsHandlers } from './exceptions.handlers';
import { ExceptionsRepository } from './exceptions.repository';
import { OrderExceptions } from './order-exceptions';

/**
 * Payments that differ from the request, for example in amount or time. Other features record them with
 * `recordException`.
 */
@Module({
  controllers: [ExceptionsHandlers],
  providers: [ExceptionsRepository, OrderExceptions],
  exports: [OrderExceptions],
})
export class ExceptionsModule {}
