import { Module, type FactoryProvider } from '@nestjs/common';
import { deploymentOf, ServiceConfig } from '@tollbridge/bootstrap';
import { AccountsHandlers } from './accounts/accounts.handlers';
import { ApprovalsHandlers } from './accounts/approvals.handlers';
import { AttestationHandlers } from './accounts/attestation.handlers';
import { TonAccountReader } from '@tollbridge/ton';
import { AssetWallet, Chain } from './chain/asset-wallet';
import { Coins } from './chain/coins';
import { DepositsWorker } from './chain/deposits.worker';
import { PayoutsWorker } from './chain/payouts.worker';
import type { NanopayConfig } from './config';
import { Deployed } from './deployed';
import { Enclave } from './enclave/enclave';
import { Receivers } from './receivers';
import { VerificationHandlers } from './verification/verification.handlers';

const deployed: FactoryProvider<Deployed> = {
  provide: Deployed,
  inject: [ServiceConfig],
  useFactory: (config: NanopayConfig) =>
    new Deployed(deploymentOf(config, config.GATEWAY_PUBLIC_URL.replace(/\/+$/, ''))),
};

const chain: FactoryProvider<Chain> = {
  provide: Chain,
  inject: [ServiceConfig],
  useFactory: ({ TONCENTER_URL: address, TONCENTER_API_KEY: key }: NanopayConfig) =>
    new Chain(
      address === '' ? undefined : new TonAccountReader({ url: address, ...(key !== '' && { apiKey: key }) }),
    ),
};

@Module({
  controllers: [AccountsHandlers, ApprovalsHandlers, AttestationHandlers, VerificationHandlers],
  providers: [deployed, chain, Enclave, AssetWallet, Receivers, Coins, DepositsWorker, PayoutsWorker],
})
export class NanopayModule {}
