import { Module, type FactoryProvider } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { TonAccountReader } from '@tollbridge/ton';
import type { NanopayConfig } from '../config';
import { DeploymentModule } from '../deployment/deployment.module';
import { AssetWallet, Chain } from './asset-wallet';
import { Coins } from './coins';
import { DepositsWorker } from './deposits.worker';
import { PayoutContract } from './payout-contract';
import { PayoutsWorker } from './payouts.worker';

const chain: FactoryProvider<Chain> = {
  provide: Chain,
  inject: [ServiceConfig],
  useFactory: ({ TONCENTER_URL: url, TONCENTER_API_KEY: apiKey }: NanopayConfig) =>
    new Chain(url === '' ? undefined : new TonAccountReader({ url, ...(apiKey !== '' && { apiKey }) })),
};

/** Deposits and payouts on TON. */
@Module({
  imports: [DeploymentModule],
  providers: [chain, AssetWallet, Coins, DepositsWorker, PayoutContract, PayoutsWorker],
  exports: [AssetWallet, PayoutsWorker],
})
export class ChainModule {}
