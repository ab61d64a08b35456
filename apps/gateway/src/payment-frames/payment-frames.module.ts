import { Module } from '@nestjs/common';
import { PaymentFramesRoute } from './payment-frames-route';

@Module({ providers: [PaymentFramesRoute] })
export class PaymentFramesModule {}
