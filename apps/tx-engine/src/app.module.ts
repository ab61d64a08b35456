import { Module } from '@nestjs/common';
import { loadEvmChains } from '@tollbridge/chains';
import { BusClient } from '@tollbridge/rpc';
import { Clock, Database } from '@tollbridge/database';
import { KeyBudgets } from '@tollbridge/key-budgets';
import { Metrics, type Logger } from '@tollbridge/observability';
import { DefiLlama } from '@tollbridge/prices';
import { SwapRouter } from '@tollbridge/routing';
import { OutboxWorker, ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { EvmChains } from './chains/evm-chains';
import { GasPrices } from './chains/gas-prices';
import { Tokens } from './chains/tokens';
import { requireConnections, type TxEngineConfig } from './config';
import { SwapPrices } from './quotes/prices';
import { QuoteSwap } from './quotes/quote-swap';
import { SwapQuotesHandlers } from './quotes/quotes.handlers';
import { QuotesRepository } from './quotes/quotes.repository';
import { swapRouterOf } from './quotes/swap-router';
import { BuildSets } from './transactions/build-sets';
import { ChainViews } from './transactions/chain-views';
import { ExecuteSet } from './transactions/execute-set';
import { FollowSet } from './transactions/follow-set';
import { QuoteSetsRepository } from './transactions/quote-sets.repository';
import { SendSet } from './transactions/send-set';
import { SetsRepository } from './transactions/sets.repository';
import { SetsWorker } from './transactions/sets.worker';
import { SnapshotsHandlers } from './transactions/snapshots.handlers';
import { TransactionsHandlers } from './transactions/transactions.handlers';

const evmChains = {
  provide: EvmChains,
  inject: [ServiceConfig, ServiceLogger],
  useFactory: (config: TxEngineConfig, logger: Logger) => {
    requireConnections(config);
    return new EvmChains(loadEvmChains(config.CHAINS_FILE), logger);
  },
};

const tokens = {
  provide: Tokens,
  inject: [EvmChains],
  useFactory: (chains: EvmChains) => new Tokens(chains),
};

const gasPrices = {
  provide: GasPrices,
  inject: [EvmChains],
  useFactory: (chains: EvmChains) => new GasPrices(chains),
};

const prices = {
  provide: SwapPrices,
  inject: [EvmChains, ServiceConfig, Database, Clock, Metrics, ServiceLogger],
  useFactory: (
    chains: EvmChains,
    { DEFILLAMA_URL: url, PRICES_EVERY_SECONDS: everySeconds }: TxEngineConfig,
    ...[database, clock, metrics, logger]: [Database, Clock, Metrics, Logger]
  ) =>
    new SwapPrices({
      sources: url === '' ? [] : [new DefiLlama(url)],
      tokens: chains.all.flatMap(({ id, tokens }) => tokens.map(({ address }) => ({ chain: id, address }))),
      ...{ everySeconds, database, clock, metrics, logger },
    }),
};

const router = {
  provide: SwapRouter,
  inject: [EvmChains, GasPrices, SwapPrices, ServiceConfig, ServiceLogger],
  useFactory: swapRouterOf,
};

const keyBudgets = {
  provide: KeyBudgets,
  inject: [BusClient],
  useFactory: (client: BusClient) => new KeyBudgets(client),
};

@Module({
  controllers: [SwapQuotesHandlers, TransactionsHandlers, SnapshotsHandlers],
  providers: [
    ...[evmChains, tokens, gasPrices, prices, router, keyBudgets],
    ...[QuotesRepository, QuoteSwap, SetsRepository, QuoteSetsRepository, BuildSets, SendSet, ExecuteSet],
    ...[OutboxWorker, ChainViews, FollowSet, SetsWorker],
  ],
})
export class TxEngineModule {}
