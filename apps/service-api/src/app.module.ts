import { Module, type FactoryProvider, type Type } from '@nestjs/common';
import { BusClient } from '@tollbridge/rpc';
import { loadEvmChains } from '@tollbridge/chains';
import { DefiLlama } from '@tollbridge/prices';
import { Clock, Database } from '@tollbridge/database';
import { KeyBudgets } from '@tollbridge/key-budgets';
import { Metrics, type Logger } from '@tollbridge/observability';
import { OutboxWorker, ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { CardIssuers } from './cards/card-issuer';
import { CardPurchases } from './cards/card-purchases';
import { CardsHandlers } from './cards/cards.handlers';
import { CardsRepository } from './cards/cards.repository';
import { issuersOf } from './cards/settings';
import { CatalogHandlers } from './catalog/catalog.handlers';
import { CatalogRepository } from './catalog/catalog.repository';
import type { ServiceApiConfig } from './config';
import { giftControllers, giftKinds, giftProviders } from './gift/gift.module';
import { PacedLooks } from './hooks/paced-looks';
import { ProviderHooksHandlers } from './hooks/provider-hooks.handlers';
import { AgentmailHandlers } from './mail/agentmail.handlers';
import { DisposableMailHandlers } from './mail/disposable-mail.handlers';
import { mailProviders } from './mail/mail.providers';
import { MailOwners } from './mail/mail.repository';
import { ResendHandlers } from './mail/resend.handlers';
import { PayoutChains } from './payouts/payout-chains';
import { relayerOf } from './payouts/settings';
import { PayoutsHandlers } from './payouts/payouts.handlers';
import { PayoutsRepository } from './payouts/payouts.repository';
import { PayoutStatesHandlers } from './payouts/payout-states.handlers';
import { DecidePayout } from './payouts/sending/decide-payout';
import { PayoutPrices } from './payouts/sending/payout-prices';
import { RelayBatch } from './payouts/sending/relay-batch';
import { RelayerAccount } from './payouts/sending/relayer-account';
import { RelayerWorker } from './payouts/sending/relayer.worker';
import { RelaysRepository } from './payouts/sending/relays.repository';
import { PurchaseKinds, type PurchaseKind } from './purchases/purchase-kind';
import { Purchases } from './purchases/purchases';
import { PurchasesHandlers } from './purchases/purchases.handlers';
import { PurchasesRepository } from './purchases/purchases.repository';
import { PurchasesWorker } from './purchases/purchases.worker';
import { AwaitedNumberKind, NumberKind } from './sms/numbers/number-kinds';
import { MessageKind } from './sms/send/message-kind';
import { SmsHandlers } from './sms/sms.handlers';
import { smsProviders } from './sms/sms.providers';
import { WaitingCalls } from './waiting/waiting-calls';

const keyBudgets = {
  provide: KeyBudgets,
  inject: [BusClient],
  useFactory: (client: BusClient) => new KeyBudgets(client),
};

/** Everything that is bought once; a kind is known by its name in stored purchases. */
const kinds: Type<PurchaseKind<any>>[] = [
  ...giftKinds,
  ...[NumberKind, AwaitedNumberKind, MessageKind, CardPurchases],
];
const purchaseKinds: FactoryProvider<PurchaseKind<any>[]> = {
  provide: PurchaseKinds,
  useFactory: (...all: PurchaseKind<any>[]) => all,
  inject: kinds,
};

const payoutChains = {
  provide: PayoutChains,
  inject: [ServiceConfig, ServiceLogger],
  useFactory: ({ CHAINS_FILE: file }: ServiceApiConfig, logger: Logger) =>
    new PayoutChains(file === '' ? [] : loadEvmChains(file), logger),
};

const relayerAccount = {
  provide: RelayerAccount,
  inject: [ServiceConfig],
  useFactory: (config: ServiceApiConfig) => relayerOf(config),
};

const payoutPrices = {
  provide: PayoutPrices,
  inject: [PayoutChains, ServiceConfig, Database, Clock, Metrics, ServiceLogger],
  useFactory: (
    chains: PayoutChains,
    { DEFILLAMA_URL: url, PRICES_EVERY_SECONDS: everySeconds }: ServiceApiConfig,
    ...[database, clock, metrics, logger]: [Database, Clock, Metrics, Logger]
  ) =>
    new PayoutPrices({
      sources: url === '' ? [] : [new DefiLlama(url)],
      tokens: chains.all.flatMap(({ chain: { id, tokens } }) =>
        tokens.map(({ address }) => ({ chain: id, address })),
      ),
      ...{ everySeconds, database, clock, metrics, logger },
    }),
};

const cardIssuers = {
  provide: CardIssuers,
  inject: [ServiceConfig, Clock],
  useFactory: (config: ServiceApiConfig, clock: Clock) => issuersOf(config, () => clock.now()),
};

// By family: what answers, and what it needs.
const purchases = [PurchasesRepository, Purchases, PurchasesWorker, keyBudgets, ...kinds, purchaseKinds];
const mail = [MailOwners, ...mailProviders];
const cards = [CardsRepository, cardIssuers];
const payouts = [
  ...[payoutChains, payoutPrices, relayerAccount, PayoutsRepository, RelaysRepository],
  ...[DecidePayout, RelayBatch, RelayerWorker],
];

@Module({
  controllers: [
    ...[PurchasesHandlers, CatalogHandlers, SmsHandlers, CardsHandlers],
    ...[PayoutsHandlers, PayoutStatesHandlers],
    ...[...giftControllers, DisposableMailHandlers, AgentmailHandlers, ResendHandlers],
    ProviderHooksHandlers,
  ],
  providers: [
    ...[OutboxWorker, WaitingCalls, PacedLooks, ...purchases, CatalogRepository],
    ...[...giftProviders, ...mail, ...smsProviders, ...cards, ...payouts],
  ],
})
export class ServiceApiModule {}
