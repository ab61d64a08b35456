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
    description: 'Chain to address: the wallets to look into',
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
  @Integer({ description: 'Digits after the point of one whole token', example: 6 })
  decimals: number;
  @Amount({ description: 'What the wallet holds, smallest unit', allowZero: true, example: '2500000' })
  balance: string;
  @Text({ description: 'The same for people', example: '2.5' })
  balance_formatted: string;
  @Decimal({
    description: 'The same in US dollars; null without a recent price',
    nullable: true,
    example: '2.50',
  })
  balance_usd: string | null;
  @Figure({ description: 'Dollars for one token; null without a recent price', nullable: true, example: 1 })
  price_usd: number | null;
}

export class WalletBalance {
  @Text({ description: 'Chain', example: 'eip155:8453' })
  blockchain: string;
  @Text({
    description: 'Address, as the chain writes it',
    example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  })
  address: string;
  @ListOf(() => TokenBalance, { description: 'Tokens that the wallet holds some of', maxItems: 100 })
  tokens: TokenBalance[];
}

export class BalancesReply {
  @ListOf(() => WalletBalance, {
    description: 'Chains that answered within 5 seconds; the others are left out',
    maxItems: maxWallets,
  })
  balances: WalletBalance[];
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
  @Text({ description: 'Name of the chain for people', example: 'Base' })
  chain_name: string;
  @Flag({ description: 'Paid by calling the payment contract', example: true })
  is_direct: boolean;
  @Text({ description: 'What the wallet holds, for people', example: '2.5' })
  balance: string;
  @Decimal({
    description: 'The same in US dollars; null without a recent price',
    nullable: true,
    example: '2.50',
  })
  balance_usd: string | null;
  @Amount({
    description: 'What would be paid, smallest unit; null without a quote',
    nullable: true,
    example: '1000000',
  })
  pay_amount: string | null;
  @Text({ description: 'The same for people', nullable: true, example: '1' })
  pay_amount_formatted: string | null;
  @Decimal({ description: 'The same in US dollars', nullable: true, example: '1.00' })
  pay_amount_usd: string | null;
  @Flag({
    description: 'Whether the wallet holds enough, with what the chain asks for the payment itself',
    example: true,
  })
  sufficient: boolean;
  @Integer({
    description: 'Seconds from payment to settlement; null without a quote',
    nullable: true,
    example: 6,
  })
  estimated_time: number | null;
  @OneOf(payMethods, { description: 'How it would be paid', example: 'Direct' })
  method: PayMethod;
  @Text({ description: 'Path of a picture of the token', example: '/logos/tokens/usdc.svg' })
  logo: string;
  @Text({ description: 'Path of a picture of the chain', example: '/logos/chains/base.svg' })
  chain_logo: string;
  @Text({ description: 'Why there is no quote, for people', nullable: true, example: null })
  error: string | null;
  @Figure({
    description: 'The least that can be paid this way, in US dollars, where it is known',
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
  @Amount({ description: 'What the merchant receives', example: '1000000' })
  settle_amount: string;
  @ListOf(() => CheckoutOption, {
    description: 'What the wallets hold: sufficient ones first, then direct ones, then the fastest',
    maxItems: 200,
  })
  options: CheckoutOption[];
}

export const checkoutApi = feature('pay-orders', 'checkout', 'Checkout', {
  balances: operation({
    operationId: 'readWalletBalances',
    method: 'POST',
    path: '/api/v1/pay/balances',
    summary: 'Read what wallets hold',
    description:
      'All chains at the same time, 5 seconds each. A chain that fails or is slow is left out, never shown as 0.',
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
    summary: 'List what a payer could pay with',
    description: 'Balances of all wallets, then quotes for every token held, both at the same time.',
    input: CheckoutOptionsRequest,
    output: CheckoutOptionsReply,
    errors: [],
    auth: 'public',
    timeoutMs: 13_000,
  }),
});
