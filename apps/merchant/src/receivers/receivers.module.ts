import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ReceiversHandlers } from './receivers.handlers';
import { ReceiversRepository } from './receivers.repository';

/** Proofs that a merchant is paid at an address. */
@Module({
  imports: [AuthModule],
  controllers: [ReceiversHandlers],
  providers: [ReceiversRepository],
  exports: [ReceiversRepository],
})
export class ReceiversModule {}
