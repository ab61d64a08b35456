import { Module } from '@nestjs/common';
import { RetentionWorker } from './retention-worker';

/** Prunes the tables of an app by the policies of its entities (docs/operations/retention.md). */
@Module({ providers: [RetentionWorker] })
export class RetentionModule {}
