import { Module, type FactoryProvider, type Type } from '@nestjs/common';
import { Balances, loadBalanceSources } from '@tollbridge/balances';
import { chains, loadEvmChains } from '@tollbridge/chains';
import { Clock, Database } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import { DefiLlama } from '@tollbridge/prices';
import { EventConsumers, OutboxWorker, ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { ContractWallets } from '@tollbridge/wallet-proof';
import { AuthHandlers } from './auth/auth.handlers';
import { AuthRepository } from './auth/auth.repository';
import { AuthSweep } from './auth/auth.worker';
import { ProofCheck } from './auth/proof-check';
import { SessionsHandlers } from './auth/sessions.handlers';
import { SignIn } from './auth/sign-in';
import { Budgets } from './budgets/budgets';
import { BudgetsHandlers } from './budgets/budgets.handlers';
import { BudgetsRepository } from './budgets/budgets.repository';
import { OrderSpends } from './budgets/order-spends';
import { PayoutSpends } from './budgets/payout-spends.worker';
import { PurchaseSpends } from './budgets/purchase-spends.worker';
import { SilentSpends } from './budgets/silent-spends.worker';
import { TransactionSpends } from './budgets/transaction-spends.worker';
import { ChainNodes } from './chains/chain-nodes';
import { TokenValues } from './chains/token-values';
import type { MerchantConfig } from './config';
import { ActivePaylinksRepository } from './dashboard/active-paylinks.repository';
import { DashboardHandlers } from './dashboard/dashboard.handlers';
import { DashboardListener } from './dashboard/dashboard.listener';
import { DashboardRepository } from './dashboard/dashboard.repository';
import { ExportHandlers } from './dashboard/export.handlers';
import { PayLinkHistory } from './dashboard/paylink-history.repository';
import { RecordPages } from './dashboard/record-pages';
import { ApiKeysHandlers } from './keys/api-keys.handlers';
import { DemoKey } from './keys/demo-key';
import { KeyPlansHandlers } from './keys/key-plans.handlers';
import { KeyPlansRepository } from './keys/key-plans.repository';
import { KeysHandlers } from './keys/keys.handlers';
import { KeysRepository } from './keys/keys.repository';
import { SecretHash } from './keys/secret-hash';
import { LedgerChecks } from './ledger/ledger-checks';
import { LedgerProofRepository } from './ledger/ledger-proof.repository';
import { LedgerHandlers } from './ledger/ledger.handlers';
import { LedgerListener } from './ledger/ledger.listener';
import { LedgerRepository } from './ledger/ledger.repository';
import { LedgerWorker } from './ledger/ledger.worker';
import type { OrderListener } from './orders/order-change';
import { OrdersRepository } from './orders/orders.repository';
import { OrderListeners, OrdersWorker } from './orders/orders.worker';
import { LateValues } from './paylinks/late-values.worker';
import { OrderTransfers } from './paylinks/order-transfers';
import { PayLinkListeners, type PayLinkListener } from './paylinks/paylink-listener';
import { PayLinkPaymentsRepository } from './paylinks/paylink-payments.repository';
import { PayLinkPayments } from './paylinks/paylink-payments.worker';
import { PayLinksHandlers } from './paylinks/paylinks.handlers';
import { PayLinksRepository } from './paylinks/paylinks.repository';
import { ReceiverBalances } from './paylinks/receiver-balances';
import { SettlePayment } from './paylinks/settle-payment';
import { TransferClaims } from './paylinks/transfer-claims';
import { ExecutePayment } from './payments/execute-payment';
import { OptionQuotes } from './payments/option-quotes';
import { PaymentRequestsHandlers } from './payments/payment-requests.handlers';
import { PaymentRequestsRepository } from './payments/payment-requests.repository';
import { PaymentPagesHandlers, PaymentsHandlers } from './payments/payments.handlers';
import { PaymentsOfOrders } from './payments/payments.listener';
import { PaymentsRepository } from './payments/payments.repository';
import { ReadPayment } from './payments/read-payment';
import { RefundChains } from './payments/refund-chains';
import { UnplacedPayments } from './payments/payments.worker';
import { ReceiversHandlers } from './receivers/receivers.handlers';
import { ReceiversRepository } from './receivers/receivers.repository';
import { MerchantDefaults } from './settings/merchant-defaults';
import { SettingsHandlers } from './settings/settings.handlers';
import { SettingsRepository } from './settings/settings.repository';
import { OrderWebhooks } from './webhooks/order-webhooks';
import { WebhookEndpointsRepository } from './webhooks/webhook-endpoints.repository';
import { WebhookMessagesRepository } from './webhooks/webhook-messages.repository';
import { WebhookQueueRepository } from './webhooks/webhook-queue.repository';
import { WebhookSecrets } from './webhooks/webhook-secrets';
import { WebhookSender } from './webhooks/webhook-sender';
import { WebhookTests } from './webhooks/webhook-tests';
import { WebhooksHandlers } from './webhooks/webhooks.handlers';
import { WebhooksWorker } from './webhooks/webhooks.worker';

/** What follows from an order, in this order. */
const orderListeners: Type<OrderListener>[] = [
  // Links first: who settles a payment of a link locks its row before those of the dashboard and the ledger.
  ...[OrderTransfers, OrderSpends, PaymentsOfOrders, DashboardListener, LedgerListener, OrderWebhooks],
];

/** What follows from payments of PayLinks, in this order. */
const payLinkListeners: Type<PayLinkListener>[] = [DashboardListener, LedgerListener];

/** All of some providers under one token, in their order. */
function allOf<T>(provide: symbol, listeners: Type<T>[]): FactoryProvider<T[]> {
  return { provide, useFactory: (...all: T[]) => all, inject: listeners };
}

const chainNodes = {
  provide: ChainNodes,
  inject: [ServiceConfig, ServiceLogger],
  useFactory: ({ CHAINS_FILE }: MerchantConfig, logger: Logger) =>
    new ChainNodes(CHAINS_FILE === '' ? [] : loadEvmChains(CHAINS_FILE), logger),
};

const tokenValues = {
  provide: TokenValues,
  inject: [ChainNodes, ServiceConfig, Database, Clock, Metrics, ServiceLogger],
  useFactory: (
    known: ChainNodes,
    { DEFILLAMA_URL: url, PRICES_EVERY_SECONDS: everySeconds }: MerchantConfig,
    ...[database, clock, metrics, logger]: [Database, Clock, Metrics, Logger]
  ) =>
    new TokenValues({
      sources: url === '' ? [] : [new DefiLlama(url)],
      tokens: chains.flatMap(({ id }) =>
        known.find(id)!.tokens.map(({ address }) => ({ chain: id, address })),
      ),
      ...{ everySeconds, database, clock, metrics, logger },
    }),
};

const contractWallets = {
  provide: ContractWallets,
  inject: [ChainNodes],
  useFactory: ({ withNodes }: ChainNodes) =>
    new ContractWallets(new Map(withNodes.map(({ chain, rpc }) => [chain.chainId, rpc]))),
};

const receiverBalances = {
  provide: ReceiverBalances,
  inject: [ServiceConfig, ServiceLogger],
  useFactory: ({ BALANCES_FILE }: MerchantConfig, logger: Logger) =>
    new ReceiverBalances(new Balances(loadBalanceSources(BALANCES_FILE)), logger),
};

// By feature: what answers, and what it needs.
const auth = [AuthRepository, ProofCheck, SignIn, AuthSweep, contractWallets];
const keys = [KeysRepository, KeyPlansRepository, SecretHash, DemoKey];
const settings = [SettingsRepository, MerchantDefaults];
const budgets = [BudgetsRepository, Budgets, TransactionSpends, PurchaseSpends, PayoutSpends, SilentSpends];
const webhooks = [
  ...[WebhookSecrets, WebhookEndpointsRepository, WebhookMessagesRepository, WebhookQueueRepository],
  ...[WebhookSender, WebhooksWorker, WebhookTests],
];
const payments = [
  ...[
    PaymentRequestsRepository,
    PaymentsRepository,
    OptionQuotes,
    RefundChains,
    ReadPayment,
    ExecutePayment,
    UnplacedPayments,
  ],
];
const paylinks = [
  ...[PayLinksRepository, PayLinkPaymentsRepository, ReceiversRepository, receiverBalances],
  ...[TransferClaims, SettlePayment, PayLinkPayments, LateValues],
  ...[...payLinkListeners, allOf(PayLinkListeners, payLinkListeners)],
];
const dashboard = [DashboardRepository, ActivePaylinksRepository, PayLinkHistory, RecordPages];
const ledger = [LedgerRepository, LedgerProofRepository, LedgerChecks, LedgerWorker];
const orders = [
  ...[OrdersRepository, OrdersWorker],
  ...[...orderListeners, allOf(OrderListeners, orderListeners)],
];

@Module({
  controllers: [
    ...[AuthHandlers, SessionsHandlers, KeysHandlers, ApiKeysHandlers, BudgetsHandlers, SettingsHandlers],
    ...[PaymentRequestsHandlers, PaymentsHandlers, PaymentPagesHandlers, PayLinksHandlers, WebhooksHandlers],
    ...[DashboardHandlers, ExportHandlers, LedgerHandlers, ReceiversHandlers, KeyPlansHandlers],
  ],
  providers: [
    ...[OutboxWorker, EventConsumers, chainNodes, tokenValues],
    ...[...auth, ...keys, ...budgets, ...settings, ...webhooks],
    ...[...payments, ...paylinks, ...dashboard, ...ledger, ...orders],
  ],
})
export class MerchantModule {}
