import { Global, Module } from '@nestjs/common';
import { OutboxMetrics } from './outbox-metrics';
import { OutboxPublisher } from './outbox-publisher';
import { OutboxWorker } from './outbox-worker';

/** Publishes the events of an app with a database. Features inject `OutboxWorker` to wake it after a commit. */
@Global()
@Module({ providers: [OutboxMetrics, OutboxPublisher, OutboxWorker], exports: [OutboxWorker] })
export class OutboxModule {}
