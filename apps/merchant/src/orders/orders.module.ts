import { Module } from '@nestjs/common';
import { OrdersRepository } from './orders.repository';

/** The merchant app's copy of orders. */
@Module({ providers: [OrdersRepository], exports: [OrdersRepository] })
export class OrdersModule {}
