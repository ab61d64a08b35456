import { Module } from '@nestjs/common';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { ChainsModule } from '../chains/chains.module';
import { EvmChains } from '../chains/evm/evm-chains';
import type { PayOrdersConfig } from '../config';
import { RouteProviderModule } from '../cross-chain/route-provider.module';
import { PricesModule } from '../prices/prices.module';
import { BlockedRefunds } from './evm/blocked-refunds';
import { SenderSearch } from './evm/sender-search';
import { RefundForwarding } from './evm/refund-forwarding';
import { refundAccountsOf } from './evm/open-refund-accounts';
import { RefundAccounts } from './evm/refund-accounts';
import { RefundArrivals } from './evm/refund-arrivals';
import { RefundGasAlarm } from './evm/refund-gas-alarm.worker';
import { RefundOffers } from './evm/refund-offers';
import { RefundPlaces } from './evm/refund-places';
import { RefundSending } from './evm/refund-sending';
import { RefundTracking } from './evm/refund-tracking';
import { RefundWorth } from './evm/refund-worth';
import { ManualRefundsRepository } from './manual-refunds.repository';
import { RefundAddressesRepository } from './refund-addresses.repository';
import { RefundTransactionsRepository } from './refund-transactions.repository';
import { RefundsRepository } from './refunds.repository';
import { RefundsWorker } from './refunds.worker';

/** The operator's refund account, and the refunds that it receives. */
@Module({
  imports: [ChainsModule, PricesModule, RouteProviderModule],
  providers: [
    {
      provide: RefundAccounts,
      inject: [ServiceConfig, EvmChains],
      useFactory: (config: PayOrdersConfig, evm: EvmChains) =>
        refundAccountsOf(
          config,
          evm.all.map(({ chain }) => chain),
        ),
    },
    BlockedRefunds,
    ManualRefundsRepository,
    RefundAddressesRepository,
    RefundArrivals,
    RefundForwarding,
    RefundGasAlarm,
    RefundOffers,
    RefundPlaces,
    RefundSending,
    RefundsRepository,
    RefundsWorker,
    RefundTracking,
    RefundTransactionsRepository,
    RefundWorth,
    SenderSearch,
  ],
  exports: [RefundAccounts, RefundAddressesRepository],
})
export class RefundsModule {}
