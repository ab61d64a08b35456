import {
  Amount,
  Flag,
  Integer,
  ListOf,
  internalFeature,
  internalOperation,
  Nested,
  OneOf,
  Text,
} from '@tollbridge/rpc';
import {
  Withdrawal,
  WithdrawalLookup,
  WithdrawalRequest,
  WithdrawalsQuery,
  WithdrawalsReply,
} from '../nanopay/accounts.api';
import { HexBytes, maxNanoAmount, Sum, TonAccount } from '../nanopay/fields';

/** Identifies a deposit, which is credited once. */
export class ChainTransaction {
  @TonAccount({ description: 'Account of the transaction that delivered it, raw form' })
  chainAccount: string;
  @Text({ description: 'Logical time of that transaction', pattern: /^[0-9]{1,20}$/, example: '46000001' })
  lt: string;
  @HexBytes(32, { description: 'Hash of that transaction' })
  hash: string;
}

export class DepositCredit extends ChainTransaction {
  @TonAccount({ description: 'Sender and credited account, raw form' })
  sender: string;
  @Amount({ description: 'Deposited amount', max: maxNanoAmount, example: '1000000' })
  amount: string;
  @HexBytes(32, {
    description: "Public key of the sender's wallet, as read on the chain",
    optional: true,
  })
  publicKey?: string;
  @Flag({
    description: "The sender's wallet declares on the chain that it accepts no signatures",
    example: false,
    optional: true,
  })
  isSwitchedOff?: boolean;
}

export class DepositCredited {
  @Flag({ description: 'False when the deposit was credited before', example: true })
  isNew: boolean;
}

export class PayoutLookup {
  @Integer({ description: 'Id of the payout', min: 0, example: 3 })
  number: number;
}

export class PayoutPayment {
  @Text({
    description: 'Id of the withdrawal',
    format: 'uuid',
    example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  })
  withdrawalId: string;
  @TonAccount({ description: 'Recipient, raw form' })
  destination: string;
  @Amount({ description: 'Amount', example: '1000000' })
  amount: string;
}

export class PayoutPayments {
  @ListOf(() => PayoutPayment, { description: 'All recipients of the payout', maxItems: 254 })
  payments: PayoutPayment[];
}

export class WithdrawalReturn extends ChainTransaction {
  @Text({
    description: 'The transfer that bounced',
    format: 'uuid',
    example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  })
  withdrawalId: string;
}

export class AccountWithdrawals extends WithdrawalsQuery {
  @TonAccount({ description: 'Account withdrawn from, raw form' })
  address: string;
}

export class CursorRequest {
  @TonAccount({ description: 'Account to read transactions of, raw form' })
  chainAccount: string;
}

export class Cursor {
  @Text({
    description: 'Logical time of the last credited deposit; 0 without any',
    example: '46000001',
  })
  lt: string;
}

export class ExecutedBatch {
  @Integer({ description: 'Query id of the batch in the wallet contract', min: 0, example: 3 })
  queryId: number;
  @HexBytes(32, { description: 'Hash of its query id and payments' })
  hash: string;
}

export class PayoutOpening {
  @TonAccount({
    description: 'Jetton wallet of the contract, as the jetton master computes it, raw form',
  })
  assetWallet: string;
  @Sum('Balance of that jetton wallet on the chain', '5000000')
  reserve: string;
  @Sum('Nanoton balance of the contract: each payment costs some', '5000000000')
  coins: string;
  @Flag({ description: 'Whether the wallet contract is not deployed yet', example: false })
  isFirst: boolean;
  @Nested(() => ExecutedBatch, {
    description: 'Newest batch that the wallet contract executed; absent without one',
    optional: true,
  })
  newestBatch?: ExecutedBatch;
}

export class OpenPayout {
  @Integer({ description: 'Sequence number of the payout, from 0', min: 0, example: 3 })
  number: number;
  @Integer({ description: 'Query id of the message in the wallet contract', min: 0, example: 3 })
  queryId: number;
  @Text({ description: 'External message for the chain, base64', maxLength: 200_000, example: 'te6cckEC…' })
  boc: string;
  @Text({ description: 'Logical time of the chain before the payout', example: '46000001' })
  afterLt: string;
  @Integer({ description: 'Creation time, Unix seconds', min: 0, example: 1795348800 })
  createdAtS: number;
  @Integer({ description: 'Expiry of the message, Unix seconds', min: 0, example: 1795435200 })
  validUntilS: number;
}

export class PayoutReplyOrNone {
  @Nested(() => OpenPayout, {
    description: 'Payout to send; null when nothing is due',
    nullable: true,
  })
  payout: OpenPayout | null;
  @Sum('Nanotons that the contract needs for all due payments, or for this payout', '205000000')
  neededCoins: string;
  @Flag({
    description: 'Whether the chain holds less than the ledger owes; nothing is paid then',
    example: false,
  })
  isShort: boolean;
}

export class PayoutClosing {
  @Integer({ description: 'Id of the payout', min: 0, example: 3 })
  number: number;
  @OneOf(['completed', 'failed'], {
    description: '`failed`: the message was not executed, and never will be',
    example: 'completed',
  })
  outcome: 'completed' | 'failed';
}

export class PayoutClosed {
  @Integer({ description: 'Number of withdrawals that it paid or released', min: 0, example: 12 })
  count: number;
}

/** Deposits from the chain and payouts to it. Every call is idempotent. */
export const teeMoneyApi = internalFeature('tee', 'money', {
  creditDeposit: internalOperation({
    summary: 'Credit a deposit on the chain, once',
    input: DepositCredit,
    output: DepositCredited,
    errors: ['SERVICE_UNAVAILABLE'],
  }),
  readPayments: internalOperation({
    summary: 'List the recipients of a payout',
    input: PayoutLookup,
    output: PayoutPayments,
    errors: [],
  }),
  creditReturn: internalOperation({
    summary: 'Credit a payout that bounced, once',
    input: WithdrawalReturn,
    output: DepositCredited,
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  readCursor: internalOperation({
    summary: 'Read up to which transaction deposits were credited',
    input: CursorRequest,
    output: Cursor,
    errors: [],
  }),
  requestWithdrawal: internalOperation({
    summary: 'Withdraw from a balance',
    input: WithdrawalRequest,
    output: Withdrawal,
    errors: ['FORBIDDEN', 'CONFLICT', 'INSUFFICIENT_BALANCE', 'SERVICE_UNAVAILABLE'],
  }),
  readWithdrawal: internalOperation({
    summary: 'Read the status of a withdrawal',
    input: WithdrawalLookup,
    output: Withdrawal,
    errors: ['NOT_FOUND'],
  }),
  listWithdrawals: internalOperation({
    summary: 'List the withdrawals and payouts of an account',
    input: AccountWithdrawals,
    output: WithdrawalsReply,
    errors: [],
    isRead: true,
  }),
  openPayout: internalOperation({
    summary: 'Create and sign the next payout to the chain',
    input: PayoutOpening,
    output: PayoutReplyOrNone,
    errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'],
  }),
  closePayout: internalOperation({
    summary: 'Record the on-chain outcome of a payout',
    input: PayoutClosing,
    output: PayoutClosed,
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
});
