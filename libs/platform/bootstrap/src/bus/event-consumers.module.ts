import { Module } from '@nestjs/common';
import { EventConsumers } from './event-consumers';

/** For a feature that consumes events of other apps. */
@Module({ providers: [EventConsumers], exports: [EventConsumers] })
export class EventConsumersModule {}
