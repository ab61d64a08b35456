import { feature, Flag, Integer, ListOf, operation, Text } from '@tollbridge/rpc';

export class ChainsQuery {
  @Flag({
    description: 'Only chains where the payer calls the payment contract directly',
    optional: true,
    example: true,
  })
  direct_only?: boolean;
}

export class TokenView {
  @Text({ description: 'Symbol, as in `pay_token` and `settle_token`', example: 'USDC' })
  symbol: string;
  @Text({ description: 'Full name', example: 'USD Coin' })
  name: string;
  @Integer({ description: 'Decimals of the token', example: 6 })
  decimals: number;
  @Text({
    description: 'Contract address; null for the native coin',
    nullable: true,
    example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  })
  address: string | null;
  @Text({ description: 'Path of the logo on this server', example: '/logos/tokens/usdc.svg' })
  logo: string;
}

export class ChainView {
  @Text({
    description: 'Chain id for requests; CAIP-2 and short names are accepted too',
    example: 'eip155:8453',
  })
  id: string;
  @Text({ description: 'CAIP-2 identifier', example: 'eip155:8453' })
  caip2: string;
  @Text({ description: 'Short name', example: 'base' })
  short_name: string;
  @Text({ description: 'Display name', example: 'Base' })
  name: string;
  @Flag({
    description:
      'True: the payer calls the payment contract. False: the payer transfers to a deposit address',
    example: true,
  })
  is_direct: boolean;
  @Flag({ description: 'Whether the chain is a test network', example: false })
  is_testnet: boolean;
  @Flag({
    description: 'Whether this deployment currently accepts direct payments on the chain',
    example: true,
  })
  is_available: boolean;
  @Integer({ description: 'Confirmations after which a payment counts as settled', example: 3 })
  confirmations: number;
  @Text({ description: 'Path of the logo on this server', example: '/logos/chains/base.svg' })
  logo: string;
  @Text({
    description:
      'Page of a transaction in a block explorer: `{tx}` stands for the hash; null without one. Operators set it by `explorerTxUrl` in `CHAINS_FILE`',
    nullable: true,
    optional: true,
    maxLength: 512,
    example: 'https://basescan.org/tx/{tx}',
  })
  explorer_tx_url?: string | null;
  @ListOf(() => TokenView, { description: 'Tokens that a payer can pay with', maxItems: 100 })
  tokens: TokenView[];
}

/** All chains, or only the direct ones with `direct_only`, which returns `chains` and `count` instead. */
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

  @ListOf('string', {
    description: 'Direct chains',
    maxItems: 29,
    optional: true,
    example: ['eip155:8453', 'ton'],
  })
  direct_chains?: string[];
  @ListOf('string', {
    description: 'Cross-chain chains',
    maxItems: 29,
    optional: true,
    example: ['btc', 'near'],
  })
  crosschain_chains?: string[];
  @Integer({ description: 'Number of all chains', optional: true, example: 29 })
  total?: number;
  @ListOf('string', {
    description: 'Direct chains, with `direct_only`',
    maxItems: 29,
    optional: true,
    example: ['eip155:8453'],
  })
  chains?: string[];
  @Integer({ description: 'Number of `chains`, with `direct_only`', optional: true, example: 12 })
  count?: number;
  @ListOf(() => ChainView, { description: 'The same chains with their tokens', maxItems: 29 })
  details: ChainView[];
}

export const chainsApi = feature('pay-orders', 'chains', 'Chains and tokens', {
  listChains: operation({
    method: 'GET',
    path: '/api/v1/pay/chains',
    summary: 'List the chains and tokens that a payer can pay with',
    input: ChainsQuery,
    output: ChainsReply,
    errors: [],
    auth: 'public',
  }),
});
