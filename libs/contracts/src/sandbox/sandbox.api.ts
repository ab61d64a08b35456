import { feature, operation } from '@tollbridge/rpc';
import { FreeForm, Integer, ListOf, Nested, Secret, Text } from '../decorators';
import { payerExample, walletExample } from '../pay-orders/fields';

export class NoInput {}

export class SandboxToken {
  @Text('Symbol', { example: 'USDC' }) symbol: string;
  @Text('Contract address; null for the native coin', {
    nullable: true,
    example: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9',
  })
  address: string | null;
  @Integer('Decimals', { example: 6 }) decimals: number;
}

export class SandboxChain {
  @Text('CAIP-2 identifier', { example: 'eip155:8453' }) caip2: string;
  @Integer('EVM chain id', { example: 8453 }) chainId: number;
  @Text('JSON-RPC URL of the local node', { example: 'http://127.0.0.1:8545' }) rpcUrl: string;
  @Text('Address of the payment contract', { example: '0x5FbDB2315678afecb367f032d93F642f64180aa3' })
  payContract: string;
  @FreeForm({ type: 'array', items: { type: 'object' } }, 'ABI of the payment contract', {
    example: [
      {
        type: 'function',
        name: 'paid',
        stateMutability: 'view',
        inputs: [{ name: 'orderHash', type: 'bytes32' }],
        outputs: [{ name: '', type: 'bool' }],
      },
    ],
  })
  payAbi: readonly Record<string, unknown>[];
  @ListOf(() => SandboxToken, 'Tokens of this chain; the accounts hold some of each', { maxItems: 100 })
  tokens: SandboxToken[];
}

export class SandboxAccount {
  @Text('Purpose of the account', { example: 'payer' }) role: string;
  @Text('Address', { example: payerExample }) address: string;
  @Secret('Private key. It is public: worthless outside this sandbox', { example: '0xac09…ff80' })
  privateKey: string;
}

export class SandboxMerchant {
  @Text('Wallet of the merchant', { example: walletExample }) wallet: string;
  @Text('Value for `merchant_id`', { example: 'demo-merchant' }) merchantId: string;
  @Text('Publishable half of the API key', { example: 'tb_test_pk_…' }) key: string;
  @Secret('Secret half of the API key', { example: 'tb_test_sk_…' }) secret: string;
}

export class SandboxNetwork {
  @Text('Id of the chain', { example: 'ton' }) chain: string;
  @Text('Family of the chain, which decides how wallets pay', { example: 'ton' }) family: string;
  @Text('URL of the local node', { example: 'http://127.0.0.1:9207/toncenter/api/v2/jsonRPC' })
  rpcUrl: string;
  @Text('The contract, program or package that takes payments', {
    example: 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
  })
  payContract: string;
  @ListOf(() => SandboxToken, 'Tokens of this chain; the payers hold some of each', { maxItems: 100 })
  tokens: SandboxToken[];
  @ListOf(() => SandboxAccount, 'Funded accounts, with their keys as wallets of the chain import them', {
    maxItems: 20,
  })
  accounts: SandboxAccount[];
}

export class SandboxReply {
  @Text('Always `sandbox`', { example: 'sandbox' }) environment: string;
  @Text('URL of the gateway', { example: 'http://127.0.0.1:3000' }) gateway: string;
  @ListOf(() => SandboxChain, 'Local chains', { maxItems: 29 }) chains: SandboxChain[];
  @ListOf(() => SandboxAccount, 'Funded accounts of the EVM chains', { maxItems: 20 })
  accounts: SandboxAccount[];
  @ListOf(() => SandboxNetwork, 'Local networks beside the EVM chains', { maxItems: 4 })
  networks: SandboxNetwork[];
  @Nested(() => SandboxMerchant, 'The demo merchant') merchant: SandboxMerchant;
  @FreeForm(
    { type: 'object', additionalProperties: { type: 'string' } },
    'Provider simulators: name to URL',
    { example: { oneclick: 'http://127.0.0.1:9207/oneclick' } },
  )
  simulators: Record<string, string>;
  @Text('SMTP server that delivers to the mailboxes of the simulators', { example: 'smtp://127.0.0.1:2525' })
  smtp: string;
}

export const sandboxApi = feature('sandbox', 'world', 'Sandbox', {
  describe: operation('GET /sandbox', {
    operationId: 'getSandbox',
    summary: 'Describe the local deployment: chains, contracts, funded accounts',
    description: 'Exists in the sandbox environment only.',
    input: NoInput,
    output: SandboxReply,
    auth: 'public',
    isSandboxOnly: true,
  }),
});
