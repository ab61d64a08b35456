import { feature, operation } from '@tollbridge/rpc';
import { Amount, Decimal, Figure, Flag, Integer, ListOf, OneOf, Text, TextMap } from '../decorators';
import { ChainName, payerExample, SettleAmount, TokenSymbol } from './fields';
import { payMethods, type PayMethod } from './quotes.api';

const maxWallets = 29;
const Wallets = () =>
  TextMap('Wallets to read: chain to address', {
    maxEntries: maxWallets,
    maxLength: 256,
    example: { base: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
  });

export class BalancesRequest {
  @Wallets() wallets: Record<string, string>;
}

export class TokenBalance {
  @Text('Symbol', { example: 'USDC' }) symbol: string;
  @Integer('Decimals of the token', { example: 6 }) decimals: number;
  @Amount('Balance of the wallet, smallest unit', { allowZero: true, example: '2500000' }) balance: string;
  @Text('The same amount, formatted in whole tokens', { example: '2.5' }) balance_formatted: string;
  @Decimal('The same amount in US dollars; null without a recent price', { nullable: true, example: '2.50' })
  balance_usd: string | null;
  @Figure('Price of one token in US dollars; null without a recent price', { nullable: true, example: 1 })
  price_usd: number | null;
}

export class WalletBalance {
  @Text('Chain', { example: 'eip155:8453' }) blockchain: string;
  @Text("Address in the chain's notation", { example: payerExample })
  address: string;
  @ListOf(() => TokenBalance, 'Tokens with a balance above zero', { maxItems: 100 }) tokens: TokenBalance[];
}

/** A wallet without balances in the reply. */
export class SkippedChain {
  @Text('Chain, as the request names it', { maxLength: 64, example: 'moonchain' }) blockchain: string;
  @Text('Why it was skipped', { example: 'is not a known chain; GET /api/v1/pay/chains lists the chains' })
  reason: string;
  @Flag('True where a repeated request may read it: the chain failed or was slow', { optional: true })
  can_retry?: boolean;
}

const Skipped = () =>
  ListOf(
    () => SkippedChain,
    'Wallets that were not read: an unknown or repeated chain, an address that is not valid on it, or a chain that failed or was slow',
    { maxItems: maxWallets, example: [] },
  );

export class BalancesReply {
  @ListOf(() => WalletBalance, 'Chains that responded within 5 seconds; others are left out', {
    maxItems: maxWallets,
  })
  balances: WalletBalance[];
  @Skipped() skipped: SkippedChain[];
}

export class CheckoutOptionsRequest {
  @Wallets() wallets: Record<string, string>;
  @ChainName('Chain that the merchant is paid on') settle_chain: string;
  @TokenSymbol('Token that the merchant is paid in') settle_token: string;
  @SettleAmount() settle_amount: string;
}

export class CheckoutOption {
  @Text('Chain', { example: 'eip155:8453' }) blockchain: string;
  @Text('Token', { example: 'USDC' }) token: string;
  @Text('Display name of the chain', { example: 'Base' }) chain_name: string;
  @Flag('Whether the payer calls the payment contract directly') is_direct: boolean;
  @Text('Balance of the wallet, formatted in whole tokens', { example: '2.5' }) balance: string;
  @Decimal('The same amount in US dollars; null without a recent price', { nullable: true, example: '2.50' })
  balance_usd: string | null;
  @Amount('Amount to pay, smallest unit; null without a quote', { nullable: true, example: '1000000' })
  pay_amount: string | null;
  @Text('The same amount, formatted in whole tokens', { nullable: true, example: '1' })
  pay_amount_formatted: string | null;
  @Decimal('The same amount in US dollars', { nullable: true, example: '1.00' })
  pay_amount_usd: string | null;
  @Flag("Whether the balance covers the amount and the chain's own fees") sufficient: boolean;
  @Integer('Seconds from payment to settlement; null without a quote', { nullable: true, example: 6 })
  estimated_time: number | null;
  @OneOf(payMethods, 'Payment method') method: PayMethod;
  @Text("Path of the token's logo", { example: '/logos/tokens/usdc.svg' }) logo: string;
  @Text("Path of the chain's logo", { example: '/logos/chains/base.svg' }) chain_logo: string;
  @Text('Human-readable reason for a missing quote', { nullable: true })
  error: string | null;
  @Figure('Smallest payable amount in US dollars, where known', { nullable: true })
  min_amount_usd: number | null;
}

export class CheckoutOptionsReply {
  @Text('Chain that the merchant is paid on', { example: 'eip155:8453' }) settle_chain: string;
  @Text('Token that the merchant is paid in', { example: 'USDC' }) settle_token: string;
  @Amount('Amount that the merchant receives') settle_amount: string;
  @ListOf(
    () => CheckoutOption,
    'Tokens that the wallets hold: sufficient ones first, then direct ones, then the fastest',
    { maxItems: 200 },
  )
  options: CheckoutOption[];
  @ListOf(
    'string',
    'Chains that responded within 5 seconds: the wallet holds nothing of their tokens that are not among `options`',
    { maxItems: maxWallets, example: ['eip155:8453'] },
  )
  read_chains: string[];
  @Skipped() skipped: SkippedChain[];
}

export const checkoutApi = feature('pay-orders', 'checkout', 'Checkout', {
  balances: operation('POST /api/v1/pay/balances', {
    operationId: 'getWalletBalances',
    isRead: true,
    summary: 'Read the balances of wallets',
    description:
      'Reads all chains in parallel, 5 seconds each. A chain that fails or is slow, an unknown chain and an invalid address are left out, never reported as 0: `skipped` names them.',
    input: BalancesRequest,
    output: BalancesReply,
    auth: 'public',
    timeoutMs: 8_000,
  }),
  checkoutOptions: operation('POST /api/v1/pay/checkout-options', {
    operationId: 'listCheckoutOptions',
    isRead: true,
    summary: 'List the payment options of a payer',
    description:
      'Reads the balances of all wallets, then quotes every token with a balance; both in parallel.',
    input: CheckoutOptionsRequest,
    output: CheckoutOptionsReply,
    auth: 'public',
    timeoutMs: 13_000,
  }),
});
