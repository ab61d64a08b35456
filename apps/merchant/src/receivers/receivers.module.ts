import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ReceiversHandlers } from './receivers.handlers';
import { ReceiversRepository } from './receivers.repository';

/** Proofs of the addresses that receive a merchant's payments. */
@Module({
  imports: [AuthModule],
  controllers: [ReceiversHandlers],
  providers: [ReceiversRepository],
  exports: [ReceiversRepository],
})
export class ReceiversModule {}
