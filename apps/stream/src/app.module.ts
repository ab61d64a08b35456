import { Module } from '@nestjs/common';
import { SocketServer } from './sockets/socket-server';
import { BusSnapshots, Snapshots } from './updates/snapshots';
import { Updates } from './updates/updates';

@Module({ providers: [{ provide: Snapshots, useClass: BusSnapshots }, Updates, SocketServer] })
export class StreamModule {}
