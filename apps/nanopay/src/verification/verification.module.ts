import { Module } from '@nestjs/common';
import { DeploymentModule } from '../deployment/deployment.module';
import { LedgerModule } from '../ledger/ledger.module';
import { ReceiversModule } from '../receivers/receivers.module';
import { VerificationHandlers } from './verification.handlers';

/** The x402 facilitator: verify and settle payments. */
@Module({
  imports: [DeploymentModule, LedgerModule, ReceiversModule],
  controllers: [VerificationHandlers],
})
export class VerificationModule {}
