import { Module } from '@nestjs/common';
import { SolanaPayController } from './solana-pay.controller';

@Module({ controllers: [SolanaPayController] })
export class SolanaPayModule {}
