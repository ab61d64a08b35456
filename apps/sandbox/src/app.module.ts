import { Module } from '@nestjs/common';
import { SimulatorsModule } from './simulators/simulators.module';
import { WorldHandlers } from './world/world.handlers';

@Module({ imports: [SimulatorsModule], controllers: [WorldHandlers] })
export class SandboxModule {}
