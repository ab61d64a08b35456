import { priceEntities } from '@tollbridge/prices';
import { CardRevealRow } from './cards/card-reveals.entity';
import { CardRow } from './cards/cards.entity';
import { CatalogServiceRow } from './catalog/catalog-services.entity';
import { AgentAddressRow } from './mail/agents/agent-addresses.entity';
import { AgentInboxRow } from './mail/agents/agent-inboxes.entity';
import { PayoutRecipientRow } from './payouts/payout-recipients.entity';
import { PayoutRow } from './payouts/payouts.entity';
import { PayoutBatchRow } from './payouts/sending/payout-batches.entity';
import { PayoutNonceRow } from './payouts/sending/payout-nonces.entity';
import { PayoutRelayRow } from './payouts/sending/payout-relays.entity';
import { PurchaseRow } from './purchases/purchases.entity';
import { SaleRow } from './sales/sales.entity';
import { SalesScanRow, UnclaimedPaymentRow } from './sales/unclaimed/unclaimed.entity';
import { SmsNumberReturnRow } from './sms/sms-number-returns.entity';

/** The entities of every table of this app except those of libs/platform/database. */
export const entities = [
  PurchaseRow,
  SmsNumberReturnRow,
  CardRow,
  CardRevealRow,
  AgentInboxRow,
  AgentAddressRow,
  CatalogServiceRow,
  PayoutRow,
  PayoutRecipientRow,
  PayoutBatchRow,
  PayoutNonceRow,
  PayoutRelayRow,
  SaleRow,
  SalesScanRow,
  UnclaimedPaymentRow,
  ...priceEntities,
];
