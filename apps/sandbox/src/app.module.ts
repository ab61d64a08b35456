import { Module } from '@nestjs/common';
import { WorldHandlers } from './world/world.handlers';

@Module({ controllers: [WorldHandlers] })
export class SandboxModule {}
