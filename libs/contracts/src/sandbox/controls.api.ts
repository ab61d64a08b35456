import { Amount, feature, OneOf, operation, Text, Timestamp } from '@tollbridge/rpc';
import { TonAccount } from '../nanopay/fields';

const address = {
  description: 'Deposit address of a committed cross-chain quote',
  example: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
};
const memo = {
  description: 'Its memo, where it has one',
  example: '1480254632',
  optional: true,
  maxLength: 64,
};

export class LedgerDepositRequest {
  @Text(address)
  deposit_address: string;
  @Text(memo)
  deposit_memo?: string;
  @Amount({ description: 'What the payer sends, in the smallest unit of the token', example: '150000' })
  amount: string;
}

export class LedgerDepositReply {
  @Text({
    description: 'Hash of the transfer, made up in the form of its chain',
    example: '7c9d4ca7a3e4f8d0b6c1f6b7a1f0f6c5d4e3b2a190817263544536271809fafb',
  })
  tx_hash: string;
}

// The twelve digits that dollars have here.
const usdPattern = /^(0|[1-9][0-9]{0,6})(\.[0-9]{1,12})?$/;

export class SetPriceRequest {
  static readonly example = { symbol: 'DOGE', usd: '0.25' };
  @Text({ description: 'Symbol of a token', example: 'ETH', maxLength: 16 })
  symbol: string;
  @Text({
    description: 'US dollars for one whole token, as a decimal string above 0',
    example: '4150.25',
    pattern: usdPattern,
    patternMessage: 'must be a decimal amount of dollars, with at most 12 digits after the point',
  })
  usd: string;
  @Timestamp({
    description: 'The time of this price, for a stale one; without it the price is always of now',
    example: '2026-11-20T12:00:00Z',
    optional: true,
  })
  frozen_at?: string;
}

export class SetPriceReply {
  @Text({ description: 'Symbol of the token', example: 'ETH' })
  symbol: string;
  @Text({ description: 'What it costs now', example: '4150.25' })
  usd: string;
}

export class PassDeadlineRequest {
  @Text(address)
  deposit_address: string;
  @Text(memo)
  deposit_memo?: string;
}

export class PassDeadlineReply {
  @Timestamp({ description: 'The deadline, which is now', example: '2026-11-20T12:00:00.000Z' })
  deadline: string;
}

/** Providers of swaps, and of services. */
export const outageProviders = [
  ...(['oneclick', 'across', 'lifi'] as const),
  ...(['reloadly', 'mailtm', 'agentmail', 'resend'] as const),
  ...(['sms-activate', 'fivesim', 'twilio', 'lithic', 'laso', 'toncenter'] as const),
];
export type OutageProvider = (typeof outageProviders)[number];

export class SetOutageRequest {
  @OneOf(['up', 'down', 'slow'], {
    description: '`up` works, `down` answers 503, `slow` does not answer at all',
    example: 'down',
  })
  mode: 'up' | 'down' | 'slow';
  @OneOf(outageProviders, {
    description: 'Which provider; by default `oneclick`, that of payments across chains',
    example: 'across',
    optional: true,
  })
  provider?: OutageProvider;
}

export class SetOutageReply {
  @OneOf(['up', 'down', 'slow'], { description: 'How the provider is now', example: 'down' })
  mode: 'up' | 'down' | 'slow';
}

const rawAccount = `0:${'ab'.repeat(32)}`;
const tonTransaction = 'c4'.repeat(32);
const example = 'UQDygBQZqqGzcEoNULWIjcy1UR7W4xkbmdFEoE6p6jkMUsqe';
// A million coins, a billion dollars: enough for every test, and the faucet lasts.
const max = 10n ** 15n;

export class TonFaucetRequest {
  @TonAccount({ description: 'A TON account, raw or friendly', example })
  address: string;
  @Amount({ description: 'Nanotons that it gets', max, example: '1000000000', optional: true })
  ton?: string;
  @Amount({
    description: 'What it gets of the jetton that stands for USDT, in the smallest of its 6 decimals',
    ...{ max, example: '25000000', optional: true },
  })
  usdt?: string;
}

export class TonFaucetReply {
  @Text({ description: 'The account, raw', example: rawAccount })
  address: string;
  @Text({ description: 'Master of the jetton, raw', example: rawAccount })
  usdt_master: string;
  @Text({ description: 'Hash of the transaction of the faucet, in hex', example: tonTransaction })
  tx_hash: string;
}

export class NanopayDepositRequest {
  @TonAccount({ description: 'The TON account that deposits, raw or friendly', example })
  address: string;
  @Amount({ description: 'How much USDT, in the smallest of its 6 decimals', max, example: '25000000' })
  amount: string;
}

export class NanopayDepositReply {
  @Text({ description: 'The account that deposited, raw', example: rawAccount })
  address: string;
  @Text({ description: 'The account to which the jettons went, raw', example: rawAccount })
  deposit_address: string;
  @Text({
    description: 'Hash of the transaction in which that account was notified, in hex',
    example: tonTransaction,
  })
  tx_hash: string;
}

const onlyHere = 'Exists in the sandbox environment only.';

export const sandboxControlsApi = feature('sandbox', 'controls', 'Sandbox', {
  depositToLedger: operation({
    operationId: 'simulateSwapDeposit',
    method: 'POST',
    path: '/sandbox/deposit',
    summary: 'Stand for the transfer of a payer on a chain without a local node',
    description: `${onlyHere} For deposits on local chains make a real transfer instead.`,
    input: LedgerDepositRequest,
    output: LedgerDepositReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: 'public',
    isSandboxOnly: true,
  }),
  setPrice: operation({
    operationId: 'setTokenPrice',
    method: 'POST',
    path: '/sandbox/prices',
    summary: 'Move the price of a token at all price sources',
    description: onlyHere,
    input: SetPriceRequest,
    output: SetPriceReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
    isSandboxOnly: true,
  }),
  passDeadline: operation({
    operationId: 'expireSwapDeadline',
    method: 'POST',
    path: '/sandbox/oneclick/deadline',
    summary: 'Make now the deadline of a committed cross-chain quote',
    description: `${onlyHere} What arrived for it and was not enough is refunded at once.`,
    input: PassDeadlineRequest,
    output: PassDeadlineReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
    isSandboxOnly: true,
  }),
  setOutage: operation({
    operationId: 'setProviderOutage',
    method: 'POST',
    path: '/sandbox/oneclick/outage',
    summary: 'Take a provider of swaps down, or make it hang',
    description: `${onlyHere} It is up again after a restart.`,
    input: SetOutageRequest,
    output: SetOutageReply,
    errors: [],
    auth: 'public',
    isSandboxOnly: true,
  }),
  fundTonAccount: operation({
    method: 'POST',
    path: '/sandbox/ton/faucet',
    summary: 'Give coins and USDT to an account of the local TON network',
    description: onlyHere,
    input: TonFaucetRequest,
    output: TonFaucetReply,
    errors: [],
    auth: 'public',
    isSandboxOnly: true,
  }),
  depositToNanopay: operation({
    operationId: 'simulateNanoPaymentDeposit',
    method: 'POST',
    path: '/sandbox/nanopay/deposit',
    summary: 'Stand for a deposit of USDT for nano-payments',
    description: `${onlyHere} The jettons are minted, and the deposit account is notified of them as of a transfer.`,
    input: NanopayDepositRequest,
    output: NanopayDepositReply,
    errors: [],
    auth: 'public',
    isSandboxOnly: true,
  }),
});
