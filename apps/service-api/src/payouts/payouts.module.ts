import { Module } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { directFamilies, loadChains, loadEvmChains } from '@tollbridge/chains';
import { Clock, Database } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { DefiLlama } from '@tollbridge/prices';
import type { ServiceApiConfig } from '../config';
import { PayoutChains } from './payout-chains';
import { PayoutPricing } from './payout-pricing';
import { PayoutStatesHandlers } from './payout-states.handlers';
import { PayoutsHandlers } from './payouts.handlers';
import { PayoutsRepository } from './payouts.repository';
import { PayoutDecisions } from './sending/payout-decisions';
import { DueBatchesRepository } from './sending/due-batches.repository';
import { PayoutApprovalsRepository } from './sending/payout-approvals.repository';
import { PayoutPrices } from './sending/payout-prices';
import { BatchRelay } from './sending/batch-relay';
import { RelayTransactions } from './sending/relay-transactions';
import { RelayerAccount } from './sending/relayer-account';
import { RelayerWorker } from './sending/relayer.worker';
import { RelaysRepository } from './sending/relays.repository';
import { openRelayer } from './settings';

function openChains({ CHAINS_FILE: file }: ServiceApiConfig, logger: Logger): PayoutChains {
  if (file === '') return new PayoutChains([], logger);
  const others = directFamilies.filter((it) => it !== 'evm').flatMap((family) => loadChains(file, family));
  return new PayoutChains(loadEvmChains(file), logger, others);
}

function openPrices(
  chains: PayoutChains,
  { DEFILLAMA_URL: url, PRICES_EVERY_SECONDS: everySeconds }: ServiceApiConfig,
  database: Database,
  clock: Clock,
  metrics: Metrics,
  logger: Logger,
): PayoutPrices {
  const tokens = chains.all.flatMap(({ chain }) =>
    chain.tokens.map(({ address }) => ({ chain: chain.id, address })),
  );
  const sources = url === '' ? [] : [new DefiLlama(url)];
  return new PayoutPrices({ sources, tokens, everySeconds, database, clock, metrics, logger });
}

/** Payouts to many recipients. They are previewed and approved, and the relayer sends them on chain. */
@Module({
  controllers: [PayoutsHandlers, PayoutStatesHandlers],
  providers: [
    { provide: PayoutChains, inject: [ServiceConfig, ServiceLogger], useFactory: openChains },
    {
      provide: PayoutPrices,
      inject: [PayoutChains, ServiceConfig, Database, Clock, Metrics, ServiceLogger],
      useFactory: openPrices,
    },
    { provide: RelayerAccount, inject: [ServiceConfig], useFactory: openRelayer },
    PayoutsRepository,
    PayoutPricing,
    PayoutApprovalsRepository,
    DueBatchesRepository,
    RelaysRepository,
    PayoutDecisions,
    RelayTransactions,
    BatchRelay,
    RelayerWorker,
  ],
  exports: [PayoutChains],
})
export class PayoutsModule {}
