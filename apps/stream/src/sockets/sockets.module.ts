import { Module } from '@nestjs/common';
import { UpdatesModule } from '../updates/updates.module';
import { SocketServer } from './socket-server';

/** Serves the WebSockets of clients. */
@Module({ imports: [UpdatesModule], providers: [SocketServer] })
export class SocketsModule {}
