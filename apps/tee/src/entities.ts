import { LeaseRow } from './lease/lease.entity';
import { AccountRow } from './ledger/storage/account.entity';
import { ApprovalRow } from './ledger/storage/approval.entity';
import { ChannelRow } from './ledger/storage/channel.entity';
import { LedgerRow } from './ledger/storage/ledger.entity';
import { PaymentRow, RefundRow } from './ledger/storage/payment.entity';
import { CancellationRow, SessionRow, UsedNonceRow } from './ledger/storage/session.entity';
import { DepositRow, PayoutRow, WithdrawalRow } from './money/money.entity';
import { PaymentEventPositionRow } from './payments/payment-events.entity';

/** The entities of every table of this app except those of libs/platform/database. */
export const entities = [
  LedgerRow,
  AccountRow,
  PaymentRow,
  RefundRow,
  ApprovalRow,
  SessionRow,
  ChannelRow,
  CancellationRow,
  UsedNonceRow,
  DepositRow,
  PayoutRow,
  WithdrawalRow,
  PaymentEventPositionRow,
  LeaseRow,
];
