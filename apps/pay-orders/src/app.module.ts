import { Module } from '@nestjs/common';
import { Balances, loadBalanceSources } from '@tollbridge/balances';
import { loadDeployments } from '@tollbridge/chains';
import { BusClient } from '@tollbridge/rpc';
import { Clock, Database } from '@tollbridge/database';
import { KeyBudgets } from '@tollbridge/key-budgets';
import { Metrics, type Logger } from '@tollbridge/observability';
import { OutboxWorker, ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { ChainRpcs } from './chains/chain-rpcs';
import { ChainsHandlers } from './chains/chains.handlers';
import { Deployments } from './chains/deployments';
import { CheckoutHandlers } from './checkout/checkout.handlers';
import { requireConnections, type PayOrdersConfig } from './config';
import { RouteCommitments } from './cross-chain/commit-route';
import { DepositsRepository } from './cross-chain/deposits.repository';
import { DepositFollower } from './cross-chain/deposits.worker';
import { RouteProvider, routeProviderOf } from './cross-chain/route-provider';
import { SwapsHandlers } from './cross-chain/swaps.handlers';
import { LateValues } from './orders/late-values.worker';
import { OrderHistoryHandlers } from './orders/order-history.handlers';
import { OrderHistoryRepository } from './orders/order-history.repository';
import { OrdersHandlers } from './orders/orders.handlers';
import { OrdersRepository } from './orders/orders.repository';
import { PlaceOrder } from './orders/place-order';
import { OrderExpiry } from './orders/orders.worker';
import { PaymentWorkers } from './payments/payment-workers';
import { PaymentsRepository } from './payments/payments.repository';
import { FindSender } from './refunds/find-sender';
import { ForwardRefund } from './refunds/forward-refund';
import { refundAccountsOf } from './refunds/open-refund-accounts';
import { PayerlessOrdersHandlers } from './refunds/payerless-orders.handlers';
import { RefundAccounts } from './refunds/refund-accounts';
import { RefundAddressesRepository } from './refunds/refund-addresses.repository';
import { RefundPlaces } from './refunds/refund-places';
import { RefundWorth } from './refunds/refund-worth';
import { RefundsRepository } from './refunds/refunds.repository';
import { RefundsWorker } from './refunds/refunds.worker';
import { pricedTokens, priceSources, TokenPrices } from './prices/token-prices';
import { MinAmountsRepository } from './quotes/min-amounts.repository';
import { MinAmounts } from './quotes/min-amounts.worker';
import { Quotes } from './quotes/quotes';
import { QuotesHandlers } from './quotes/quotes.handlers';
import { SnapshotCache } from './quotes/snapshot-cache';

const deployments = {
  provide: Deployments,
  inject: [ServiceConfig, RouteProvider],
  useFactory: (config: PayOrdersConfig, { routes }: RouteProvider) => {
    const chains = loadDeployments(config.CHAINS_FILE);
    requireConnections(config, chains.length);
    return new Deployments(chains, routes !== undefined);
  },
};

const routeProvider = { provide: RouteProvider, inject: [ServiceConfig], useFactory: routeProviderOf };

const chainRpcs = {
  provide: ChainRpcs,
  inject: [Deployments, ServiceLogger],
  useFactory: (known: Deployments, logger: Logger) => new ChainRpcs(known, logger),
};

/** Chains with nodes of their own are read there; others where BALANCES_FILE says. */
const balances = {
  provide: Balances,
  inject: [Deployments, ServiceConfig],
  useFactory: ({ chains }: Deployments, config: PayOrdersConfig) => {
    const given = loadBalanceSources(config.BALANCES_FILE);
    const own = chains.filter(({ id }) => !given.some(({ chain }) => chain === id));
    return new Balances([...given, ...own.map(({ id, rpcUrls }) => ({ chain: id, urls: rpcUrls }))]);
  },
};

const tokenPrices = {
  provide: TokenPrices,
  inject: [Deployments, RouteProvider, ServiceConfig, Database, Clock, Metrics, ServiceLogger],
  useFactory: (
    known: Deployments,
    { routes }: RouteProvider,
    { DEFILLAMA_URL, PRICES_EVERY_SECONDS: everySeconds }: PayOrdersConfig,
    ...[database, clock, metrics, logger]: [Database, Clock, Metrics, Logger]
  ) =>
    new TokenPrices({
      sources: priceSources(routes, DEFILLAMA_URL),
      tokens: pricedTokens((chainId) => known.known(chainId)!),
      ...{ everySeconds, database, clock, metrics, logger },
    }),
};

const refundAccounts = {
  provide: RefundAccounts,
  inject: [ServiceConfig, Deployments],
  useFactory: (config: PayOrdersConfig, { chains }: Deployments) => refundAccountsOf(config, chains),
};

const keyBudgets = {
  provide: KeyBudgets,
  inject: [BusClient],
  useFactory: (client: BusClient) => new KeyBudgets(client),
};

@Module({
  controllers: [
    ...[ChainsHandlers, QuotesHandlers, CheckoutHandlers],
    ...[OrdersHandlers, PayerlessOrdersHandlers, OrderHistoryHandlers, SwapsHandlers],
  ],
  providers: [
    ...[routeProvider, deployments, chainRpcs, balances, tokenPrices, SnapshotCache, keyBudgets],
    ...[
      OutboxWorker,
      OrdersRepository,
      OrderHistoryRepository,
      OrderExpiry,
      LateValues,
      PaymentsRepository,
      PaymentWorkers,
    ],
    ...[RouteCommitments, DepositsRepository, DepositFollower],
    ...[refundAccounts, RefundAddressesRepository, RefundsRepository, RefundPlaces, RefundWorth],
    ...[PlaceOrder, FindSender, ForwardRefund, RefundsWorker],
    ...[Quotes, MinAmountsRepository, MinAmounts],
  ],
})
export class PayOrdersModule {}
