import { Module } from '@nestjs/common';
import { SimulatorsModule } from '../simulators/simulators.module';
import { ControlsHandlers } from './controls.handlers';
import { DemoPayerHandlers } from './demo-payer.handlers';
import { DemoPayer } from './demo-payer';

@Module({
  imports: [SimulatorsModule],
  controllers: [ControlsHandlers, DemoPayerHandlers],
  providers: [DemoPayer],
})
export class ControlsModule {}
