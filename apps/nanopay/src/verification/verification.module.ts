import { Module } from '@nestjs/common';
import { DeploymentModule } from '../deployment/deployment.module';
import { LedgerModule } from '../ledger/ledger.module';
import { ReceiversModule } from '../receivers/receivers.module';
import { OfficialSchemes } from './official-schemes';
import { VerificationHandlers } from './verification.handlers';

/** The x402 facilitator: verify and settle payments. */
@Module({
  imports: [DeploymentModule, LedgerModule, ReceiversModule],
  controllers: [VerificationHandlers],
  providers: [OfficialSchemes],
})
export class VerificationModule {}
