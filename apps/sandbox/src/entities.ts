import { BridgeCursorEntity, BridgeDepositEntity } from './across/deposits.entity';
import { AgentmailInboxEntity } from './agentmail/inboxes.entity';
import { LasoCardEntity, LasoPaymentEntity } from './laso/laso.entity';
import { LithicCardEntity } from './lithic/lithic-cards.entity';
import { MailMessageEntity, SentMailEntity } from './mail/mail.entity';
import { MailtmAccountEntity } from './mailtm/accounts.entity';
import { PaymentEntity } from './oneclick/payments.entity';
import { SwapDepositEntity, SwapEntity } from './oneclick/swaps.entity';
import { ClockEntity } from './time/clock.entity';
import { PriceEntity } from './prices/prices.entity';
import { ReloadlyTransactionEntity } from './reloadly/transactions.entity';
import { TonAccountEntity, TonPlaceEntity, TonChainEntity, TonTransactionEntity } from './ton/ton.entity';
import { TronBlockEntity, TronTransactionEntity } from './tron/tron.entity';
import { SolanaAccountEntity, SolanaChainEntity, SolanaTransactionEntity } from './solana/solana.entity';
import { SuiChainEntity, SuiEventEntity, SuiObjectEntity, SuiTransactionEntity } from './sui/sui.entity';

/** The entities of every table of this app except those of libs/platform/database. */
export const entities = [
  PriceEntity,
  ClockEntity,
  SwapEntity,
  SwapDepositEntity,
  PaymentEntity,
  BridgeDepositEntity,
  BridgeCursorEntity,
  ReloadlyTransactionEntity,
  MailMessageEntity,
  SentMailEntity,
  MailtmAccountEntity,
  AgentmailInboxEntity,
  LithicCardEntity,
  LasoCardEntity,
  LasoPaymentEntity,
  TonPlaceEntity,
  TonChainEntity,
  TonAccountEntity,
  TonTransactionEntity,
  TronBlockEntity,
  TronTransactionEntity,
  SolanaChainEntity,
  SolanaAccountEntity,
  SolanaTransactionEntity,
  SuiChainEntity,
  SuiObjectEntity,
  SuiTransactionEntity,
  SuiEventEntity,
];
