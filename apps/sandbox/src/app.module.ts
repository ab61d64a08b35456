import { Module } from '@nestjs/common';
import { ControlsModule } from './controls/controls.module';
import { DeploymentModule } from './deployment/deployment.module';
import { TimeModule } from './time/time.module';
import { SimulatorsModule } from './simulators/simulators.module';

@Module({ imports: [DeploymentModule, SimulatorsModule, ControlsModule, TimeModule] })
export class SandboxModule {}
