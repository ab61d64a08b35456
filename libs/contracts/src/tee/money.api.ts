import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { Amount, Flag, ListOf, Nested, OneOf, Text, Unsigned } from '../decorators';
import {
  Withdrawal,
  WithdrawalLookup,
  WithdrawalRequest,
  WithdrawalsQuery,
  WithdrawalsReply,
} from '../nanopay/accounts.api';
import { HexBytes, maxNanoAmount, Sum, TonAccount } from '../nanopay/fields';
import { Id } from '../shared-fields';

/** Identifies a deposit, so that it is credited once. */
export class ChainTransaction {
  @TonAccount('Account of the transaction that delivered the transfer, raw form') chainAccount: string;
  @Text('Logical time of that transaction', { pattern: /^[0-9]{1,20}$/, example: '46000001' }) lt: string;
  @HexBytes(32, 'Hash of that transaction') hash: string;
}

export class DepositCredit extends ChainTransaction {
  @TonAccount('Sender and credited account, raw form') sender: string;
  @Amount('Deposited amount', { max: maxNanoAmount }) amount: string;
  @HexBytes(32, "Public key of the sender's wallet, as read on the chain", { optional: true })
  publicKey?: string;
  @Flag("The sender's wallet declares on the chain that it accepts no signatures", {
    example: false,
    optional: true,
  })
  isSwitchedOff?: boolean;
}

export class DepositCredited {
  @Flag('False when the deposit was credited before') isNew: boolean;
}

export class PayoutLookup {
  @Unsigned('Id of the payout', { example: 3 }) number: number;
}

export class PayoutPayment {
  @Id('Id of the withdrawal') withdrawalId: string;
  @TonAccount('Recipient, raw form') destination: string;
  @Amount('Amount') amount: string;
}

export class PayoutPayments {
  @ListOf(() => PayoutPayment, 'All recipients of the payout', { maxItems: 254 }) payments: PayoutPayment[];
}

export class WithdrawalReturn extends ChainTransaction {
  @Id('The transfer that bounced') withdrawalId: string;
}

export class AccountWithdrawals extends WithdrawalsQuery {
  @TonAccount('Account withdrawn from, raw form') address: string;
}

export class CursorRequest {
  @TonAccount('Account to read transactions of, raw form') chainAccount: string;
}

export class Cursor {
  @Text('Logical time of the last credited deposit; 0 without any', { example: '46000001' }) lt: string;
}

export class ExecutedBatch {
  @Unsigned('Query id of the batch in the wallet contract', { example: 3 }) queryId: number;
  @HexBytes(32, 'Hash of its query id and payments') hash: string;
}

export class PayoutOpening {
  @TonAccount('Jetton wallet of the contract, as the jetton master computes it, raw form')
  assetWallet: string;
  @Sum('Balance of that jetton wallet on the chain', '5000000') reserve: string;
  @Sum('Nanoton balance of the contract: each payment costs some', '5000000000') coins: string;
  @Flag('Whether the wallet contract is not deployed yet', { example: false }) isFirst: boolean;
  @Nested(() => ExecutedBatch, 'Newest batch that the wallet contract executed; absent without one', {
    optional: true,
  })
  newestBatch?: ExecutedBatch;
}

export class OpenPayout {
  @Unsigned('Sequence number of the payout, from 0', { example: 3 }) number: number;
  @Unsigned('Query id of the message in the wallet contract', { example: 3 }) queryId: number;
  @Text('External message for the chain, base64', { maxLength: 200_000, example: 'te6cckEC…' }) boc: string;
  @Text('Logical time of the chain before the payout', { example: '46000001' }) afterLt: string;
  @Unsigned('Creation time, Unix seconds', { example: 1795348800 }) createdAtS: number;
  @Unsigned('Expiry of the message, Unix seconds', { example: 1795435200 }) validUntilS: number;
}

export class PayoutReplyOrNone {
  @Nested(() => OpenPayout, 'Payout to send; null when nothing is due', { nullable: true })
  payout: OpenPayout | null;
  @Sum('Nanotons that the contract needs: for an open payout, otherwise for all due payments', '205000000')
  neededCoins: string;
  @Flag('Whether the chain holds less than the ledger owes; nothing is paid then', { example: false })
  isShort: boolean;
}

export class PayoutClosing {
  @Unsigned('Id of the payout', { example: 3 }) number: number;
  @OneOf(['completed', 'failed'], '`failed`: the message was not executed, and never will be')
  outcome: 'completed' | 'failed';
}

export class PayoutClosed {
  @Unsigned('Number of withdrawals that it paid or released', { example: 12 }) count: number;
}

/** Deposits from the chain, and payouts to it. Every call is idempotent. */
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
  }),
  creditReturn: internalOperation({
    summary: 'Credit a payout that bounced, once',
    input: WithdrawalReturn,
    output: DepositCredited,
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  }),
  readCursor: internalOperation({
    summary: 'Read the cursor of the deposits that were credited',
    input: CursorRequest,
    output: Cursor,
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
