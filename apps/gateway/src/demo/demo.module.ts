import { Module } from '@nestjs/common';
import { DemoRoute } from './demo-route';

@Module({ providers: [DemoRoute] })
export class DemoModule {}
