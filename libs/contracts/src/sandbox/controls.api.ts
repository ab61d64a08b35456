import { feature, operation } from '@tollbridge/rpc';
import { Amount, OneOf, Text, Timestamp } from '../decorators';
import { TonAccount } from '../nanopay/fields';

const DepositAddress = () =>
  Text('Deposit address of a committed cross-chain quote', { example: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' });
const Memo = () =>
  Text('Memo of the deposit address, where it has one', {
    example: '1480254632',
    optional: true,
    maxLength: 64,
  });

export class LedgerDepositRequest {
  @DepositAddress() deposit_address: string;
  @Memo() deposit_memo?: string;
  @Amount('Amount that the payer sends, in the smallest unit of the token', { example: '150000' })
  amount: string;
}

export class LedgerDepositReply {
  @Text('Generated transfer hash in the format of its chain', {
    example: '7c9d4ca7a3e4f8d0b6c1f6b7a1f0f6c5d4e3b2a190817263544536271809fafb',
  })
  tx_hash: string;
}

// Dollar amounts have at most twelve decimals in these operations.
const usdPattern = /^(0|[1-9][0-9]{0,6})(\.[0-9]{1,12})?$/;

export class SetPriceRequest {
  static readonly example = { symbol: 'DOGE', usd: '0.25' };
  @Text('Symbol of a token', { example: 'ETH', maxLength: 16 }) symbol: string;
  @Text('Price of one whole token in US dollars, a decimal string above 0', {
    example: '4150.25',
    pattern: usdPattern,
    patternMessage: 'must be a decimal amount of dollars, with at most 12 decimals',
  })
  usd: string;
  @Timestamp('Time of this price, to make it stale; without it the price is always current', {
    example: '2026-11-20T12:00:00Z',
    optional: true,
  })
  frozen_at?: string;
}

export class SetPriceReply {
  @Text('Symbol of the token', { example: 'ETH' }) symbol: string;
  @Text('Current price', { example: '4150.25' }) usd: string;
}

/** Sources of exchange rates. */
export const exchangeRateSources = ['ecb', 'openexchangerates'] as const;
export type ExchangeRateSource = (typeof exchangeRateSources)[number];

export class SetExchangeRateRequest {
  static readonly example = { currency: 'TRY', per_usd: '42.3' };
  @Text('Currency, an ISO 4217 code other than USD', { example: 'EUR', pattern: /^[A-Z]{3}$/, maxLength: 3 })
  currency: string;
  @Text('Units of the currency for one US dollar, a decimal string above 0', {
    example: '0.92',
    pattern: usdPattern,
    patternMessage: 'must be a decimal, with at most 12 decimals',
  })
  per_usd: string;
  @OneOf(
    exchangeRateSources,
    'Source that publishes the rate; by default every source that has the currency',
    {
      example: 'openexchangerates',
      optional: true,
    },
  )
  source?: ExchangeRateSource;
  @Timestamp('Time of all rates of the source, to make them stale; without it they are always current', {
    example: '2026-11-20T12:00:00Z',
    optional: true,
  })
  frozen_at?: string;
}

export class SetExchangeRateReply {
  @Text('Code of the currency', { example: 'EUR' }) currency: string;
  @Text('Current rate', { example: '0.92' }) per_usd: string;
}

export class PassDeadlineRequest {
  @DepositAddress() deposit_address: string;
  @Memo() deposit_memo?: string;
}

export class PassDeadlineReply {
  @Timestamp('The deadline, which is now') deadline: string;
}

/** Providers of swaps, of services and of exchange rates. */
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
  'ecb',
  'openexchangerates',
  'toncenter',
  'solana',
  'tron',
  'sui',
] as const;
export type OutageProvider = (typeof outageProviders)[number];

export class SetOutageRequest {
  @OneOf(['up', 'down', 'slow'], '`up` works, `down` returns 503, `slow` never responds', { example: 'down' })
  mode: 'up' | 'down' | 'slow';
  @OneOf(
    outageProviders,
    'Provider to control; by default `oneclick`, the provider of cross-chain payments',
    { example: 'across', optional: true },
  )
  provider?: OutageProvider;
}

export class SetOutageReply {
  @OneOf(['up', 'down', 'slow'], 'Current state of the provider', { example: 'down' })
  mode: 'up' | 'down' | 'slow';
}

const rawAccount = `0:${'ab'.repeat(32)}`;
const tonTransaction = 'c4'.repeat(32);
const example = 'UQDygBQZqqGzcEoNULWIjcy1UR7W4xkbmdFEoE6p6jkMUsqe';
// A million coins or a billion dollars, enough for every test without emptying the faucet.
const max = 10n ** 15n;

export class TonFaucetRequest {
  @TonAccount('TON account, raw or friendly form', { example }) address: string;
  @Amount('Nanotons to send', { max, example: '1000000000', optional: true }) ton?: string;
  @Amount('Amount of the jetton that represents USDT, in the smallest of its 6 decimals', {
    max,
    example: '25000000',
    optional: true,
  })
  usdt?: string;
}

export class TonFaucetReply {
  @Text('Account, raw form', { example: rawAccount }) address: string;
  @Text('Jetton master, raw form', { example: rawAccount }) usdt_master: string;
  @Text('Hash of the faucet transaction, hexadecimal', { example: tonTransaction }) tx_hash: string;
}

export class NanopayDepositRequest {
  @TonAccount('Depositing TON account, raw or friendly form', { example }) address: string;
  @Amount('Amount of USDT, in the smallest of its 6 decimals', { max, example: '25000000' }) amount: string;
}

export class NanopayDepositReply {
  @Text('Depositing account, raw form', { example: rawAccount }) address: string;
  @Text('Account that received the jettons, raw form', { example: rawAccount }) deposit_address: string;
  @Text('Hash of the transaction that notified that account, hexadecimal', { example: tonTransaction })
  tx_hash: string;
}

const onlyHere = 'Exists in the sandbox environment only.';

export const sandboxControlsApi = feature('sandbox', 'controls', 'Sandbox', {
  depositToLedger: operation('POST /sandbox/deposit', {
    operationId: 'simulateSwapDeposit',
    summary: "Simulate a payer's transfer on a chain without a local node",
    description: `${onlyHere} For deposits on local chains, send a real transfer instead.`,
    input: LedgerDepositRequest,
    output: LedgerDepositReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: 'public',
    isSandboxOnly: true,
  }),
  setPrice: operation('POST /sandbox/prices', {
    operationId: 'setTokenPrice',
    summary: 'Set the price of a token at all price sources',
    description: onlyHere,
    input: SetPriceRequest,
    output: SetPriceReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
    isSandboxOnly: true,
  }),
  setExchangeRate: operation('POST /sandbox/rates', {
    summary: 'Set the exchange rate of a currency at its sources',
    description: `${onlyHere} A restart resets all rates.`,
    input: SetExchangeRateRequest,
    output: SetExchangeRateReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
    isSandboxOnly: true,
  }),
  passDeadline: operation('POST /sandbox/oneclick/deadline', {
    operationId: 'expireSwapDeadline',
    summary: 'Expire the deadline of a committed cross-chain quote',
    description: `${onlyHere} An insufficient deposit is refunded immediately.`,
    input: PassDeadlineRequest,
    output: PassDeadlineReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
    isSandboxOnly: true,
  }),
  setOutage: operation('POST /sandbox/oneclick/outage', {
    operationId: 'setProviderOutage',
    summary: 'Make a provider fail or hang',
    description: `${onlyHere} A restart resets the provider to \`up\`.`,
    input: SetOutageRequest,
    output: SetOutageReply,
    auth: 'public',
    isSandboxOnly: true,
  }),
  fundTonAccount: operation('POST /sandbox/ton/faucet', {
    summary: 'Fund an account of the local TON network with coins and USDT',
    description: onlyHere,
    input: TonFaucetRequest,
    output: TonFaucetReply,
    auth: 'public',
    isSandboxOnly: true,
  }),
  depositToNanopay: operation('POST /sandbox/nanopay/deposit', {
    operationId: 'simulateNanoPaymentDeposit',
    summary: 'Simulate a USDT deposit for nano-payments',
    description: `${onlyHere} The service mints the jettons, and notifies the deposit account as a transfer would.`,
    input: NanopayDepositRequest,
    output: NanopayDepositReply,
    auth: 'public',
    isSandboxOnly: true,
  }),
});
