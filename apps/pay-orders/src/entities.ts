import { priceEntities } from '@tollbridge/prices';
import { fiatRateEntities } from '@tollbridge/rates';
import { DepositRow, RouteCommitRow, SettlementClaimRow } from './cross-chain/deposits.entity';
import { SettlementRow, SettlementTransactionRow } from './facilitator/settlements.entity';
import { DisplacedReportRow, OrderExceptionRow, OrderRow, TxClaimRow } from './orders/storage/orders.entity';
import { ChainBlockRow, ChainPositionRow, PaymentRow } from './payments/payments.entity';
import { MinAmountRow } from './quotes/min-amounts.entity';
import { RefundAddressRow, RefundNonceRow, RefundRow, RefundTransactionRow } from './refunds/refunds.entity';

/** The entities of all tables of this app, except those of libs/platform/database. */
export const entities = [
  ChainBlockRow,
  ChainPositionRow,
  DepositRow,
  DisplacedReportRow,
  MinAmountRow,
  OrderRow,
  OrderExceptionRow,
  PaymentRow,
  RefundAddressRow,
  RefundNonceRow,
  RefundRow,
  RefundTransactionRow,
  RouteCommitRow,
  SettlementClaimRow,
  SettlementRow,
  SettlementTransactionRow,
  TxClaimRow,
  ...priceEntities,
  ...fiatRateEntities,
];
