import { Amount, feature, OneOf, operation, Text, Timestamp } from '@tollbridge/rpc';
import { TonAccount } from '../nanopay/fields';

const address = {
  description: 'Deposit address of a committed cross-chain quote',
  example: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
};
const memo = {
  description: 'Memo of the deposit address, where it has one',
  example: '1480254632',
  optional: true,
  maxLength: 64,
};

export class LedgerDepositRequest {
  @Text(address)
  deposit_address: string;
  @Text(memo)
  deposit_memo?: string;
  @Amount({
    description: 'Amount that the payer sends, in the smallest unit of the token',
    example: '150000',
  })
  amount: string;
}

export class LedgerDepositReply {
  @Text({
    description: 'Generated transfer hash in the format of its chain',
    example: '7c9d4ca7a3e4f8d0b6c1f6b7a1f0f6c5d4e3b2a190817263544536271809fafb',
  })
  tx_hash: string;
}

// Dollar amounts have at most twelve decimals here.
const usdPattern = /^(0|[1-9][0-9]{0,6})(\.[0-9]{1,12})?$/;

export class SetPriceRequest {
  static readonly example = { symbol: 'DOGE', usd: '0.25' };
  @Text({ description: 'Symbol of a token', example: 'ETH', maxLength: 16 })
  symbol: string;
  @Text({
    description: 'Price of one whole token in US dollars, a decimal string above 0',
    example: '4150.25',
    pattern: usdPattern,
    patternMessage: 'must be a decimal amount of dollars, with at most 12 decimals',
  })
  usd: string;
  @Timestamp({
    description: 'Time of this price, to make it stale; without it the price is always current',
    example: '2026-11-20T12:00:00Z',
    optional: true,
  })
  frozen_at?: string;
}

export class SetPriceReply {
  @Text({ description: 'Symbol of the token', example: 'ETH' })
  symbol: string;
  @Text({ description: 'Current price', example: '4150.25' })
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

/** Providers of swaps and of services. */
export const outageProviders = [
  'oneclick',
  'across',
  'lifi',
  'reloadly',
  'mailtm',
  'agentmail',
  'resend',
  'sms-activate',
  'fivesim',
  'twilio',
  'lithic',
  'laso',
  'toncenter',
  'solana',
  'tron',
  'sui',
] as const;
export type OutageProvider = (typeof outageProviders)[number];

export class SetOutageRequest {
  @OneOf(['up', 'down', 'slow'], {
    description: '`up` works, `down` returns 503, `slow` never responds',
    example: 'down',
  })
  mode: 'up' | 'down' | 'slow';
  @OneOf(outageProviders, {
    description: 'Provider to control; by default `oneclick`, the provider of cross-chain payments',
    example: 'across',
    optional: true,
  })
  provider?: OutageProvider;
}

export class SetOutageReply {
  @OneOf(['up', 'down', 'slow'], { description: 'Current state of the provider', example: 'down' })
  mode: 'up' | 'down' | 'slow';
}

const rawAccount = `0:${'ab'.repeat(32)}`;
const tonTransaction = 'c4'.repeat(32);
const example = 'UQDygBQZqqGzcEoNULWIjcy1UR7W4xkbmdFEoE6p6jkMUsqe';
// A million coins, a billion dollars: enough for every test without emptying the faucet.
const max = 10n ** 15n;

export class TonFaucetRequest {
  @TonAccount({ description: 'TON account, raw or friendly form', example })
  address: string;
  @Amount({ description: 'Nanotons to send', max, example: '1000000000', optional: true })
  ton?: string;
  @Amount({
    description: 'Amount of the jetton that represents USDT, in the smallest of its 6 decimals',
    max,
    example: '25000000',
    optional: true,
  })
  usdt?: string;
}

export class TonFaucetReply {
  @Text({ description: 'Account, raw form', example: rawAccount })
  address: string;
  @Text({ description: 'Jetton master, raw form', example: rawAccount })
  usdt_master: string;
  @Text({ description: 'Hash of the faucet transaction, hexadecimal', example: tonTransaction })
  tx_hash: string;
}

export class NanopayDepositRequest {
  @TonAccount({ description: 'Depositing TON account, raw or friendly form', example })
  address: string;
  @Amount({ description: 'Amount of USDT, in the smallest of its 6 decimals', max, example: '25000000' })
  amount: string;
}

export class NanopayDepositReply {
  @Text({ description: 'Depositing account, raw form', example: rawAccount })
  address: string;
  @Text({ description: 'Account that received the jettons, raw form', example: rawAccount })
  deposit_address: string;
  @Text({
    description: 'Hash of the transaction that notified that account, hexadecimal',
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
    summary: "Simulate a payer's transfer on a chain without a local node",
    description: `${onlyHere} For deposits on local chains, send a real transfer instead.`,
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
    summary: 'Set the price of a token at all price sources',
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
    summary: 'Expire the deadline of a committed cross-chain quote',
    description: `${onlyHere} An insufficient deposit is refunded immediately.`,
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
    summary: 'Make a provider fail or hang',
    description: `${onlyHere} A restart resets the provider to \`up\`.`,
    input: SetOutageRequest,
    output: SetOutageReply,
    errors: [],
    auth: 'public',
    isSandboxOnly: true,
  }),
  fundTonAccount: operation({
    method: 'POST',
    path: '/sandbox/ton/faucet',
    summary: 'Fund an account of the local TON network with coins and USDT',
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
    summary: 'Simulate a USDT deposit for nano-payments',
    description: `${onlyHere} The service mints the jettons, and notifies the deposit account as a transfer would.`,
    input: NanopayDepositRequest,
    output: NanopayDepositReply,
    errors: [],
    auth: 'public',
    isSandboxOnly: true,
  }),
});
