import { feature, operation } from '@tollbridge/rpc';
import { Flag, Integer, ListOf, Text } from '../decorators';
import { usdcExample } from './fields';

export class ChainsQuery {
  @Flag('Only chains where the payer calls the payment contract directly', { optional: true })
  direct_only?: boolean;
}

export class TokenView {
  @Text('Symbol, as in `pay_token` and `settle_token`', { example: 'USDC' }) symbol: string;
  @Text('Full name', { example: 'USD Coin' }) name: string;
  @Integer('Decimals of the token', { example: 6 }) decimals: number;
  @Text('Contract address; null for the native coin', { nullable: true, example: usdcExample })
  address: string | null;
  @Text('Path of the logo on this server', { example: '/logos/tokens/usdc.svg' }) logo: string;
}

export class ChainView {
  @Text('Chain id for requests; CAIP-2 and short names are accepted too', { example: 'eip155:8453' })
  id: string;
  @Text('CAIP-2 identifier', { example: 'eip155:8453' }) caip2: string;
  @Text('Short name', { example: 'base' }) short_name: string;
  @Text('Display name', { example: 'Base' }) name: string;
  @Flag('True: the payer calls the payment contract. False: the payer transfers to a deposit address')
  is_direct: boolean;
  @Flag('Whether the chain is a test network', { example: false }) is_testnet: boolean;
  @Flag('Whether this deployment currently accepts direct payments on the chain')
  is_available: boolean;
  @Integer('Confirmations that a payment needs to count as settled', { example: 3 }) confirmations: number;
  @Text('Path of the logo on this server', { example: '/logos/chains/base.svg' }) logo: string;
  @Text(
    'Page of a transaction in a block explorer: `{tx}` stands for the hash; null without one. Operators set it by `explorerTxUrl` in `CHAINS_FILE`',
    { nullable: true, optional: true, maxLength: 512, example: 'https://basescan.org/tx/{tx}' },
  )
  explorer_tx_url?: string | null;
  @ListOf(() => TokenView, 'Tokens that a payer can pay with', { maxItems: 100 }) tokens: TokenView[];
}

/** All chains, or with `direct_only` only direct chains, in `chains` and `count`. */
export class ChainsReply {
  static readonly example = {
    direct_chains: ['eip155:8453', 'ton'],
    crosschain_chains: ['btc', 'near'],
    total: 29,
    details: [
      {
        id: 'eip155:8453',
        caip2: 'eip155:8453',
        short_name: 'base',
        name: 'Base',
        is_direct: true,
        is_testnet: false,
        is_available: true,
        confirmations: 3,
        logo: '/logos/chains/base.svg',
        explorer_tx_url: 'https://basescan.org/tx/{tx}',
        tokens: [
          {
            symbol: 'USDC',
            name: 'USD Coin',
            decimals: 6,
            address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
            logo: '/logos/tokens/usdc.svg',
          },
        ],
      },
    ],
  };

  @ListOf('string', 'Direct chains', { maxItems: 29, optional: true, example: ['eip155:8453', 'ton'] })
  direct_chains?: string[];
  @ListOf('string', 'Cross-chain chains', { maxItems: 29, optional: true, example: ['btc', 'near'] })
  crosschain_chains?: string[];
  @Integer('Number of all chains', { optional: true, example: 29 }) total?: number;
  @ListOf('string', 'Direct chains, with `direct_only`', {
    maxItems: 29,
    optional: true,
    example: ['eip155:8453'],
  })
  chains?: string[];
  @Integer('Number of `chains`, with `direct_only`', { optional: true, example: 12 }) count?: number;
  @ListOf(() => ChainView, 'The same chains with their tokens', { maxItems: 29 }) details: ChainView[];
}

export const chainsApi = feature('pay-orders', 'chains', 'Chains and tokens', {
  listChains: operation('GET /api/v1/pay/chains', {
    summary: 'List the chains and tokens that a payer can pay with',
    input: ChainsQuery,
    output: ChainsReply,
    auth: 'public',
  }),
});
