import { bindAddress, type Config, loadConfig, port, publicUrl, text, url } from '@tollbridge/config';
import {
  databaseSettings,
  managementSettings,
  poolingSettings,
  serviceSettings,
} from '@tollbridge/bootstrap';
import type { Node } from './deployment/deploy-chains';

export const evmNodesSetting = text({
  description: 'local nodes as chain id=URL, comma-separated',
  example: '8453=http://127.0.0.1:8545,42161=http://127.0.0.1:8546',
});

/** The local networks apart from the EVM nodes. */
export const networkNames = ['ton', 'solana', 'tron', 'sui'] as const;
export type NetworkName = (typeof networkNames)[number];

export const networksSetting = text({
  description: `local networks beside the EVM nodes, comma-separated: some of ${networkNames.join(', ')}; \`none\` for none`,
  example: 'ton,solana,tron,sui',
  default: 'none',
});

export const simulatorsUrlSetting = publicUrl({
  description: 'public URL of the simulators',
  example: 'http://127.0.0.1:9207',
  sandboxDefault: 'http://127.0.0.1:9207',
});

export const settings = {
  ...managementSettings,
  ...serviceSettings('SANDBOX', { managementPort: 9107 }),
  ...databaseSettings('SANDBOX'),
  ...poolingSettings('SANDBOX'),
  SANDBOX_EVM_NODES: evmNodesSetting,
  SANDBOX_NETWORKS: networksSetting,
  SANDBOX_TRON_NODE: url(['http', 'https'], {
    description: 'EVM node that executes the contracts of the local Tron network; needed where it is started',
    example: 'http://127.0.0.1:8547',
    default: '',
  }),
  SANDBOX_SIMULATORS_HOST: bindAddress({
    description: 'listening address of the provider simulators',
    example: '127.0.0.1',
    default: '127.0.0.1',
  }),
  SANDBOX_SIMULATORS_PORT_NUMBER: port({
    description: 'port of the provider simulators',
    example: '9207',
    default: 9207,
    formerName: 'SANDBOX_SIMULATORS_PORT',
  }),
  SANDBOX_SIMULATORS_PUBLIC_URL: simulatorsUrlSetting,
  SANDBOX_SMTP_PORT_NUMBER: port({
    description: 'SMTP port that receives mail for the mailboxes of the simulators',
    example: '2525',
    default: 2525,
    formerName: 'SANDBOX_SMTP_PORT',
  }),
  SANDBOX_HOOKS_URL: url(['http', 'https'], {
    description:
      'base URL for the webhooks of the simulators, each under its own name; empty to send webhooks to registered addresses only',
    example: 'http://127.0.0.1:3000/hooks',
    default: '',
  }),
  SANDBOX_NANOPAY_DEPOSIT_ADDRESS: text({
    description:
      "TON account that receives deposits of nano-payments; empty for the account of the sandbox's well-known key",
    example: '0:aa7c2b1a1fba4f2eaa1a0f6fa3f6fa58cc0d0dd3bbf2a4eabf2b6b3f05b9c1d2',
    default: '',
  }),
  SANDBOX_WORLD_FILE: text({
    description: 'JSON file that describes the local deployment; written when its contracts are deployed',
    example: './.tollbridge/world.json',
  }),
  GATEWAY_PUBLIC_URL: publicUrl({
    description: 'the URL of the public API for clients',
    example: 'https://api.example.com',
    sandboxDefault: 'http://127.0.0.1:3000',
  }),
};

export type SandboxConfig = Config<typeof settings>;

/** @throws Error outside the sandbox environment, because this app must not run with real money */
export function readConfig(env?: NodeJS.ProcessEnv): SandboxConfig {
  const config = loadConfig(settings, env);
  if (config.environment !== 'sandbox')
    throw new Error(`The sandbox app does not run with TOLLBRIDGE_ENV=${config.environment}.`);
  if (parseNetworks(config.SANDBOX_NETWORKS).includes('tron') && config.SANDBOX_TRON_NODE === '')
    throw new Error('SANDBOX_NETWORKS has tron, which needs SANDBOX_TRON_NODE.');
  return config;
}

/** @throws Error for an invalid list. */
export function parseNodes(list: string): Node[] {
  return list.split(',').map((item) => {
    const [chainId = '', ...url] = item.split('=');
    const rpcUrl = url.join('=');
    if (!/^\d+$/.test(chainId) || !URL.canParse(rpcUrl))
      throw new Error(`SANDBOX_EVM_NODES: ${item} is not a pair of chain id=URL`);
    return { chainId: Number(chainId), rpcUrl };
  });
}

/** Returns the URLs of nodes for this process, which may differ from the public URLs in the deployment file. */
export function nodeUrls(list: string): (chain: { chainId: number; rpcUrl: string }) => string {
  const reached = new Map(parseNodes(list).map(({ chainId, rpcUrl }) => [chainId, rpcUrl]));
  return ({ chainId, rpcUrl }) => reached.get(chainId) ?? rpcUrl;
}

/** @throws Error for an unknown name. */
export function parseNetworks(list: string): NetworkName[] {
  if (list === 'none') return [];
  const names = list.split(',');
  const unknown = names.filter((name) => !networkNames.includes(name as NetworkName));
  if (unknown.length > 0)
    throw new Error(`SANDBOX_NETWORKS: ${unknown.join(', ')} is not one of ${networkNames.join(', ')}`);
  return networkNames.filter((name) => names.includes(name));
}
