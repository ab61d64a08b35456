import { Module } from '@nestjs/common';
import { SimulatorsModule } from '../simulators/simulators.module';
import { ControlsHandlers } from './controls.handlers';

@Module({ imports: [SimulatorsModule], controllers: [ControlsHandlers] })
export class ControlsModule {}
