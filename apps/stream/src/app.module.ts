import { Module } from '@nestjs/common';
import { SocketsModule } from './sockets/sockets.module';
import { UpdatesModule } from './updates/updates.module';

@Module({ imports: [UpdatesModule, SocketsModule] })
export class StreamModule {}
