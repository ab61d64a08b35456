import { LeaseRow } from './lease/lease.entity';
import { AccountRow } from './ledger/account.entity';
import { ApprovalRow } from './ledger/approval.entity';
import { ChannelRow } from './ledger/channel.entity';
import { LedgerRow } from './ledger/ledger.entity';
import { PaymentRow, RefundRow } from './ledger/payment.entity';
import { CancellationRow, SessionRow, UsedNonceRow } from './ledger/session.entity';
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
