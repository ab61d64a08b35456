import { Module, type FactoryProvider } from '@nestjs/common';
import { deploymentOf, ServiceConfig } from '@tollbridge/service';
import { AccountsHandlers } from './accounts/accounts.handlers';
import { ApprovalsHandlers } from './accounts/approvals.handlers';
import { AttestationHandlers } from './accounts/attestation.handlers';
import type { NanopayConfig } from './config';
import { Deployed } from './deployed';
import { Enclave } from './enclave/enclave';
import { VerificationHandlers } from './verification/verification.handlers';

const deployed: FactoryProvider<Deployed> = {
  provide: Deployed,
  inject: [ServiceConfig],
  useFactory: (config: NanopayConfig) =>
    new Deployed(deploymentOf(config, config.GATEWAY_PUBLIC_URL.replace(/\/+$/, ''))),
};

@Module({
  controllers: [AccountsHandlers, ApprovalsHandlers, AttestationHandlers, VerificationHandlers],
  providers: [deployed, Enclave],
})
export class NanopayModule {}
