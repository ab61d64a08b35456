import { feature, FreeForm, Integer, ListOf, Nested, operation, Text } from '@tollbridge/rpc';

export class NoInput {}

export class SandboxToken {
  @Text({ description: 'Symbol', example: 'USDC' })
  symbol: string;
  @Text({
    description: 'Contract address; null for the native coin',
    nullable: true,
    example: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
  })
  address: string | null;
  @Integer({ description: 'Decimals', example: 6 })
  decimals: number;
}

export class SandboxChain {
  @Text({ description: 'CAIP-2 identifier', example: 'eip155:8453' })
  caip2: string;
  @Integer({ description: 'EVM chain id', example: 8453 })
  chainId: number;
  @Text({ description: 'JSON-RPC URL of the local node', example: 'http://127.0.0.1:8545' })
  rpcUrl: string;
  @Text({
    description: 'Address of the payment contract',
    example: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  })
  payContract: string;
  @FreeForm(
    { type: 'array', items: { type: 'object' } },
    {
      description: 'ABI of the payment contract',
      example: [
        {
          type: 'function',
          name: 'paid',
          stateMutability: 'view',
          inputs: [{ name: 'orderHash', type: 'bytes32' }],
          outputs: [{ name: '', type: 'bool' }],
        },
      ],
    },
  )
  payAbi: readonly Record<string, unknown>[];
  @ListOf(() => SandboxToken, {
    description: 'Tokens of this chain; the accounts hold some of each',
    maxItems: 100,
  })
  tokens: SandboxToken[];
}

export class SandboxAccount {
  @Text({ description: 'Purpose of the account', example: 'payer' })
  role: string;
  @Text({ description: 'Address', example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' })
  address: string;
  @Text({
    description: 'Private key. It is public: worthless outside this sandbox',
    isSecret: true,
    example: '0xac09…ff80',
  })
  privateKey: string;
}

export class SandboxMerchant {
  @Text({ description: 'Wallet of the merchant', example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  wallet: string;
  @Text({ description: 'Value for `merchant_id`', example: 'demo-merchant' })
  merchantId: string;
  @Text({ description: 'Publishable half of the API key', example: 'tb_test_pk_…' })
  key: string;
  @Text({ description: 'Secret half of the API key', isSecret: true, example: 'tb_test_sk_…' })
  secret: string;
}

export class SandboxNetwork {
  @Text({ description: 'Id of the chain', example: 'ton' })
  chain: string;
  @Text({ description: 'Family of the chain, which decides how wallets pay', example: 'ton' })
  family: string;
  @Text({ description: 'URL of the local node', example: 'http://127.0.0.1:9207/toncenter/api/v2/jsonRPC' })
  rpcUrl: string;
  @Text({
    description: 'The contract, program or package that takes payments',
    example: 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
  })
  payContract: string;
  @ListOf(() => SandboxToken, {
    description: 'Tokens of this chain; the payers hold some of each',
    maxItems: 100,
  })
  tokens: SandboxToken[];
  @ListOf(() => SandboxAccount, {
    description: 'Funded accounts, with their keys as wallets of the chain import them',
    maxItems: 20,
  })
  accounts: SandboxAccount[];
}

export class SandboxReply {
  @Text({ description: 'Always `sandbox`', example: 'sandbox' })
  environment: string;
  @Text({ description: 'URL of the gateway', example: 'http://127.0.0.1:3000' })
  gateway: string;
  @ListOf(() => SandboxChain, { description: 'Local chains', maxItems: 29 })
  chains: SandboxChain[];
  @ListOf(() => SandboxAccount, { description: 'Funded accounts of the EVM chains', maxItems: 20 })
  accounts: SandboxAccount[];
  @ListOf(() => SandboxNetwork, { description: 'Local networks beside the EVM chains', maxItems: 4 })
  networks: SandboxNetwork[];
  @Nested(() => SandboxMerchant, { description: 'The demo merchant' })
  merchant: SandboxMerchant;
  @FreeForm(
    { type: 'object', additionalProperties: { type: 'string' } },
    {
      description: 'Provider simulators: name to URL',
      example: { oneclick: 'http://127.0.0.1:9207/oneclick' },
    },
  )
  simulators: Record<string, string>;
  @Text({
    description: 'SMTP server that delivers to the mailboxes of the simulators',
    example: 'smtp://127.0.0.1:2525',
  })
  smtp: string;
}

export const sandboxApi = feature('sandbox', 'world', 'Sandbox', {
  describe: operation({
    operationId: 'getSandbox',
    method: 'GET',
    path: '/sandbox',
    summary: 'Describe the local deployment: chains, contracts, funded accounts',
    description: 'Exists in the sandbox environment only.',
    input: NoInput,
    output: SandboxReply,
    errors: [],
    auth: 'public',
    isSandboxOnly: true,
  }),
});
