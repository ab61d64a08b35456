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
import { Withdrawal, WithdrawalLookup, WithdrawalRequest } from '../nanopay/accounts.api';
import { HexBytes, maxNanoAmount, Sum, TonAccount } from '../nanopay/fields';

/** By which something has arrived. Under it, it is credited once. */
export class ChainTransaction {
  @TonAccount({ description: 'The account of the transaction that brought it, raw' })
  chainAccount: string;
  @Text({ description: 'Logical time of the transaction', pattern: /^[0-9]{1,20}$/, example: '46000001' })
  lt: string;
  @HexBytes(32, { description: 'Its hash' })
  hash: string;
}

export class DepositCredit extends ChainTransaction {
  @TonAccount({ description: 'Who sent it, and is credited, raw' })
  sender: string;
  @Amount({ description: 'How much arrived', max: maxNanoAmount, example: '1000000' })
  amount: string;
  @HexBytes(32, {
    description: 'The key whose signatures the wallet of the sender takes, as it says itself on the chain',
    optional: true,
  })
  publicKey?: string;
  @Flag({
    description: 'The wallet of the sender says on the chain that it takes no signatures',
    example: false,
    optional: true,
  })
  isSwitchedOff?: boolean;
}

export class DepositCredited {
  @Flag({ description: 'False if it was credited before', example: true })
  isNew: boolean;
}

export class PayoutLookup {
  @Integer({ description: 'Which one', min: 0, example: 3 })
  number: number;
}

export class PayoutPayment {
  @Text({ description: 'Its name', format: 'uuid', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  withdrawalId: string;
  @TonAccount({ description: 'Who is paid, raw' })
  destination: string;
  @Amount({ description: 'How much', example: '1000000' })
  amount: string;
}

export class PayoutPayments {
  @ListOf(() => PayoutPayment, { description: 'All that it pays', maxItems: 254 })
  payments: PayoutPayment[];
}

export class WithdrawalReturn extends ChainTransaction {
  @Text({
    description: 'What has come back',
    format: 'uuid',
    example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  })
  withdrawalId: string;
}

export class CursorRequest {
  @TonAccount({ description: 'The account whose transactions are read, raw' })
  chainAccount: string;
}

export class Cursor {
  @Text({
    description: 'Logical time of the last deposit that was credited; 0 without any',
    example: '46000001',
  })
  lt: string;
}

export class PayoutOpening {
  @TonAccount({
    description: 'The wallet of the asset that belongs to the contract, as its master computes it, raw',
  })
  assetWallet: string;
  @Sum('What it holds on the chain', '5000000')
  reserve: string;
  @Sum('Nanotons that the contract has: each payment needs some', '5000000000')
  coins: string;
  @Flag({ description: 'Whether the wallet of the contract is not deployed yet', example: false })
  isFirst: boolean;
}

export class OpenPayout {
  @Integer({ description: 'Counts payouts, from 0', min: 0, example: 3 })
  number: number;
  @Integer({ description: 'Under which the wallet knows the message', min: 0, example: 3 })
  queryId: number;
  @Text({ description: 'The message for the chain, base64', maxLength: 200_000, example: 'te6cckEC…' })
  boc: string;
  @Text({ description: 'Logical time of the chain before it', example: '46000001' })
  afterLt: string;
  @Integer({ description: 'When it was made, Unix seconds', min: 0, example: 1795348800 })
  createdAtS: number;
  @Integer({ description: 'Until when the chain may take it, Unix seconds', min: 0, example: 1795435200 })
  validUntilS: number;
}

export class PayoutReplyOrNone {
  @Nested(() => OpenPayout, {
    description: 'What is to be sent; null if there is nothing to pay',
    nullable: true,
  })
  payout: OpenPayout | null;
  @Sum('Nanotons that the contract must have to pay all that is due, or all of this payout', '205000000')
  neededCoins: string;
  @Flag({ description: 'Whether the chain holds less than is owed, so that nothing is paid', example: false })
  isShort: boolean;
}

export class PayoutClosing {
  @Integer({ description: 'Which one', min: 0, example: 3 })
  number: number;
  @OneOf(['completed', 'failed'], {
    description: '`failed`: nothing of it was sent, and nothing will be',
    example: 'completed',
  })
  outcome: 'completed' | 'failed';
}

export class PayoutClosed {
  @Integer({ description: 'How many were paid by it, or wait again', min: 0, example: 12 })
  count: number;
}

/** What comes from the chain and goes to it. Each call is harmless when repeated. */
export const teeMoneyApi = internalFeature('tee', 'money', {
  creditDeposit: internalOperation({
    summary: 'Credit what has arrived on the chain, once',
    ...{ input: DepositCredit, output: DepositCredited, errors: ['SERVICE_UNAVAILABLE'] },
  }),
  readPayments: internalOperation({
    summary: 'List the recipients of a payout',
    ...{ input: PayoutLookup, output: PayoutPayments, errors: [] },
  }),
  creditReturn: internalOperation({
    summary: 'Credit what was paid out and came back, once',
    ...{ input: WithdrawalReturn, output: DepositCredited, errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'] },
  }),
  readCursor: internalOperation({
    summary: 'How far deposits were credited',
    ...{ input: CursorRequest, output: Cursor, errors: [] },
  }),
  requestWithdrawal: internalOperation({
    summary: 'Take money out of a balance',
    ...{
      input: WithdrawalRequest,
      output: Withdrawal,
      errors: ['FORBIDDEN', 'CONFLICT', 'INSUFFICIENT_BALANCE', 'SERVICE_UNAVAILABLE'],
    },
  }),
  readWithdrawal: internalOperation({
    summary: 'How far it is',
    ...{ input: WithdrawalLookup, output: Withdrawal, errors: ['NOT_FOUND'] },
  }),
  openPayout: internalOperation({
    summary: 'What is to be paid on the chain next, signed',
    ...{ input: PayoutOpening, output: PayoutReplyOrNone, errors: ['CONFLICT', 'SERVICE_UNAVAILABLE'] },
  }),
  closePayout: internalOperation({
    summary: 'What became of it on the chain',
    ...{ input: PayoutClosing, output: PayoutClosed, errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'] },
  }),
});
