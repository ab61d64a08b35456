import { Module } from '@nestjs/common';
import { BusSnapshots, Snapshots } from './snapshots';
import { Updates } from './updates';

/** Subscribes to updates of transaction sets on the bus. */
@Module({ providers: [{ provide: Snapshots, useClass: BusSnapshots }, Updates], exports: [Updates] })
export class UpdatesModule {}
