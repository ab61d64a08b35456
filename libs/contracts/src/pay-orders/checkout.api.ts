import {
  Amount,
  Decimal,
  feature,
  Figure,
  Flag,
  Integer,
  ListOf,
  OneOf,
  operation,
  Text,
  TextMap,
} from '@tollbridge/rpc';
import { ChainName, SettleAmount, TokenSymbol } from './fields';
import { payMethods, type PayMethod } from './quotes.api';

const maxWallets = 29;
const Wallets = () =>
  TextMap({
    description: 'Wallets to read: chain to address',
    maxEntries: maxWallets,
    maxLength: 256,
    example: { base: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
  });

export class BalancesRequest {
  @Wallets()
  wallets: Record<string, string>;
}

export class TokenBalance {
  @Text({ description: 'Symbol', example: 'USDC' })
  symbol: string;
  @Integer({ description: 'Decimals of the token', example: 6 })
  decimals: number;
  @Amount({ description: 'Balance of the wallet, smallest unit', allowZero: true, example: '2500000' })
  balance: string;
  @Text({ description: 'The same amount, formatted in whole tokens', example: '2.5' })
  balance_formatted: string;
  @Decimal({
    description: 'The same amount in US dollars; null without a recent price',
    nullable: true,
    example: '2.50',
  })
  balance_usd: string | null;
  @Figure({
    description: 'Price of one token in US dollars; null without a recent price',
    nullable: true,
    example: 1,
  })
  price_usd: number | null;
}

export class WalletBalance {
  @Text({ description: 'Chain', example: 'eip155:8453' })
  blockchain: string;
  @Text({
    description: "Address in the chain's notation",
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  address: string;
  @ListOf(() => TokenBalance, { description: 'Tokens with a balance above zero', maxItems: 100 })
  tokens: TokenBalance[];
}

/** A wallet without balances in the reply. */
export class SkippedChain {
  @Text({ description: 'Chain, as the request names it', maxLength: 64, example: 'moonchain' })
  blockchain: string;
  @Text({
    description: 'Why it was skipped',
    example: 'is not a known chain; GET /api/v1/pay/chains lists the chains',
  })
  reason: string;
  @Flag({
    description: 'True where a repeated request may read it: the chain failed or was slow',
    optional: true,
    example: true,
  })
  can_retry?: boolean;
}

const Skipped = () =>
  ListOf(() => SkippedChain, {
    description:
      'Wallets that were not read: an unknown or repeated chain, an address that is not valid on it, or a chain that failed or was slow',
    maxItems: maxWallets,
    example: [],
  });

export class BalancesReply {
  @ListOf(() => WalletBalance, {
    description: 'Chains that responded within 5 seconds; others are left out',
    maxItems: maxWallets,
  })
  balances: WalletBalance[];
  @Skipped()
  skipped: SkippedChain[];
}

export class CheckoutOptionsRequest {
  @Wallets()
  wallets: Record<string, string>;
  @ChainName({ description: 'Chain that the merchant is paid on' })
  settle_chain: string;
  @TokenSymbol({ description: 'Token that the merchant is paid in' })
  settle_token: string;
  @SettleAmount()
  settle_amount: string;
}

export class CheckoutOption {
  @Text({ description: 'Chain', example: 'eip155:8453' })
  blockchain: string;
  @Text({ description: 'Token', example: 'USDC' })
  token: string;
  @Text({ description: 'Display name of the chain', example: 'Base' })
  chain_name: string;
  @Flag({ description: 'Whether the payer calls the payment contract directly', example: true })
  is_direct: boolean;
  @Text({ description: 'Balance of the wallet, formatted in whole tokens', example: '2.5' })
  balance: string;
  @Decimal({
    description: 'The same amount in US dollars; null without a recent price',
    nullable: true,
    example: '2.50',
  })
  balance_usd: string | null;
  @Amount({
    description: 'Amount to pay, smallest unit; null without a quote',
    nullable: true,
    example: '1000000',
  })
  pay_amount: string | null;
  @Text({ description: 'The same amount, formatted in whole tokens', nullable: true, example: '1' })
  pay_amount_formatted: string | null;
  @Decimal({ description: 'The same amount in US dollars', nullable: true, example: '1.00' })
  pay_amount_usd: string | null;
  @Flag({
    description: "Whether the balance covers the amount and the chain's own fees",
    example: true,
  })
  sufficient: boolean;
  @Integer({
    description: 'Seconds from payment to settlement; null without a quote',
    nullable: true,
    example: 6,
  })
  estimated_time: number | null;
  @OneOf(payMethods, { description: 'Payment method', example: 'Direct' })
  method: PayMethod;
  @Text({ description: "Path of the token's logo", example: '/logos/tokens/usdc.svg' })
  logo: string;
  @Text({ description: "Path of the chain's logo", example: '/logos/chains/base.svg' })
  chain_logo: string;
  @Text({ description: 'Human-readable reason when there is no quote', nullable: true, example: null })
  error: string | null;
  @Figure({
    description: 'Smallest payable amount in US dollars, where known',
    nullable: true,
    example: null,
  })
  min_amount_usd: number | null;
}

export class CheckoutOptionsReply {
  @Text({ description: 'Chain that the merchant is paid on', example: 'eip155:8453' })
  settle_chain: string;
  @Text({ description: 'Token that the merchant is paid in', example: 'USDC' })
  settle_token: string;
  @Amount({ description: 'Amount that the merchant receives', example: '1000000' })
  settle_amount: string;
  @ListOf(() => CheckoutOption, {
    description: 'Tokens that the wallets hold: sufficient ones first, then direct ones, then the fastest',
    maxItems: 200,
  })
  options: CheckoutOption[];
  @ListOf('string', {
    description:
      'Chains that responded within 5 seconds: the wallet holds nothing of their tokens that are not among `options`',
    maxItems: maxWallets,
    example: ['eip155:8453'],
  })
  read_chains: string[];
  @Skipped()
  skipped: SkippedChain[];
}

export const checkoutApi = feature('pay-orders', 'checkout', 'Checkout', {
  balances: operation({
    operationId: 'getWalletBalances',
    method: 'POST',
    path: '/api/v1/pay/balances',
    isRead: true,
    summary: 'Read the balances of wallets',
    description:
      'Reads all chains in parallel, 5 seconds each. A chain that fails or is slow, an unknown chain and an invalid address are left out, never reported as 0: `skipped` names them.',
    input: BalancesRequest,
    output: BalancesReply,
    errors: [],
    auth: 'public',
    timeoutMs: 8_000,
  }),
  checkoutOptions: operation({
    operationId: 'listCheckoutOptions',
    method: 'POST',
    path: '/api/v1/pay/checkout-options',
    isRead: true,
    summary: 'List the payment options of a payer',
    description:
      'Reads the balances of all wallets, then quotes every token with a balance; both in parallel.',
    input: CheckoutOptionsRequest,
    output: CheckoutOptionsReply,
    errors: [],
    auth: 'public',
    timeoutMs: 13_000,
  }),
});
