import { priceEntities } from '@tollbridge/prices';
import { fiatRateEntities } from '@tollbridge/rates';
import { DayRateEntity, PaymentPriceDayEntity } from './rates/day-rate.entity';
import { ContractWalletEntity } from './auth/contract-wallet.entity';
import { SignInRecordEntity } from './auth/sign-in-record.entity';
import { SpentNonceEntity } from './auth/spent-nonce.entity';
import { WalletSessionEntity } from './auth/wallet-session.entity';
import { KeyMonthEntity } from './budgets/key-month.entity';
import { KeySpendEntity } from './budgets/key-spend.entity';
import { DashboardStateEntity } from './dashboard/dashboard-state.entity';
import { DashboardSumEntity } from './dashboard/dashboard-sum.entity';
import { DashboardTransactionEntity } from './dashboard/dashboard-transaction.entity';
import { PaymentExceptionEntity } from './exceptions/payment-exception.entity';
import { ApiKeyEntity } from './keys/api-key.entity';
import { KeyPlanChangeEntity } from './keys/key-plan-change.entity';
import { LedgerCheckEntity } from './ledger/ledger-check.entity';
import { LedgerEntryEntity } from './ledger/ledger-entry.entity';
import { LedgerSumEntity } from './ledger/ledger-sum.entity';
import { LedgerTransactionEntity } from './ledger/ledger-transaction.entity';
import { LedgerWaitingEntity } from './ledger/ledger-waiting.entity';
import { LedgerEntity } from './ledger/ledger.entity';
import { OrderEntity } from './orders/order.entity';
import { PayLinkPaymentEntity } from './paylinks/payments/paylink-payment.entity';
import { PayLinkEntity } from './paylinks/paylink.entity';
import { PaymentAttemptEntity } from './payments/attempts/payment-attempt.entity';
import { PaymentDayEntity } from './payments/payment-day.entity';
import { PaymentRequestEntity } from './payments/requests/payment-request.entity';
import { PaymentEntity } from './payments/payment.entity';
import { ProvenReceiverEntity } from './receivers/proven-receiver.entity';
import { SettingsChangeEntity } from './settings/settings-change.entity';
import { SettingsEntity } from './settings/settings.entity';
import { WebhookEndpointEntity } from './webhooks/webhook-endpoint.entity';
import { WebhookMessageEntity } from './webhooks/webhook-message.entity';

/** The entities of all tables of this app, except those of libs/platform/database. */
export const entities = [
  ApiKeyEntity,
  KeyPlanChangeEntity,
  WalletSessionEntity,
  SpentNonceEntity,
  ContractWalletEntity,
  SignInRecordEntity,
  KeyMonthEntity,
  KeySpendEntity,
  ProvenReceiverEntity,
  SettingsEntity,
  SettingsChangeEntity,
  PaymentRequestEntity,
  PaymentEntity,
  PaymentDayEntity,
  DayRateEntity,
  PaymentPriceDayEntity,
  PaymentAttemptEntity,
  PayLinkEntity,
  PayLinkPaymentEntity,
  PaymentExceptionEntity,
  OrderEntity,
  DashboardStateEntity,
  DashboardTransactionEntity,
  DashboardSumEntity,
  LedgerEntity,
  LedgerTransactionEntity,
  LedgerEntryEntity,
  LedgerSumEntity,
  LedgerCheckEntity,
  LedgerWaitingEntity,
  WebhookEndpointEntity,
  WebhookMessageEntity,
  ...priceEntities,
  ...fiatRateEntities,
];
