import { Module } from '@nestjs/common';
import { WaitingCalls } from './waiting-calls';

@Module({ providers: [WaitingCalls], exports: [WaitingCalls] })
export class WaitingModule {}
