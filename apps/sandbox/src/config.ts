import { bindAddress, type Config, loadConfig, port, publicUrl, text, url } from '@tollbridge/config';
import { databaseSettings, managementSettings, serviceSettings } from '@tollbridge/bootstrap';
import type { Node } from './deployment/deploy-chains';

export const evmNodesSetting = text({
  description: 'local nodes: chain id=URL, comma-separated',
  example: '8453=http://127.0.0.1:8545,42161=http://127.0.0.1:8546',
});

export const settings = {
  ...managementSettings,
  ...serviceSettings('SANDBOX', { managementPort: 9107 }),
  ...databaseSettings('SANDBOX'),
  SANDBOX_EVM_NODES: evmNodesSetting,
  SANDBOX_SIMULATORS_HOST: bindAddress({
    description: 'address on which the provider simulators listen',
    example: '127.0.0.1',
    default: '127.0.0.1',
  }),
  SANDBOX_SIMULATORS_PORT: port({
    description: 'port of the provider simulators',
    example: '9207',
    default: 9207,
  }),
  SANDBOX_SIMULATORS_PUBLIC_URL: publicUrl({
    description: 'the address under which the simulators are reached',
    example: 'http://127.0.0.1:9207',
    sandboxDefault: 'http://127.0.0.1:9207',
  }),
  SANDBOX_SMTP_PORT: port({
    description: 'port on which mail to the mailboxes of the simulators arrives',
    example: '2525',
    default: 2525,
  }),
  SANDBOX_HOOKS_URL: url(['http', 'https'], {
    description:
      'where the simulators send their webhooks, each below its name; empty to send them to addresses only that were registered with them',
    example: 'http://127.0.0.1:3000/hooks',
    default: '',
  }),
  SANDBOX_NANOPAY_DEPOSIT_ADDRESS: text({
    description:
      'TON account to which deposits of nano-payments go; empty for that of the well-known key of the sandbox',
    example: '0:aa7c2b1a1fba4f2eaa1a0f6fa3f6fa58cc0d0dd3bbf2a4eabf2b6b3f05b9c1d2',
    default: '',
  }),
  SANDBOX_WORLD_FILE: text({
    description: 'JSON file that describes the local world; written when its contracts are deployed',
    example: './.tollbridge/world.json',
  }),
  GATEWAY_PUBLIC_URL: publicUrl({
    description: 'the address under which callers reach the public API',
    example: 'https://api.example.com',
    sandboxDefault: 'http://127.0.0.1:3000',
  }),
};

export type SandboxConfig = Config<typeof settings>;

/** @throws Error outside the sandbox environment: nothing of this app may run where money is real. */
export function readConfig(env?: NodeJS.ProcessEnv): SandboxConfig {
  const config = loadConfig(settings, env);
  if (config.environment !== 'sandbox')
    throw new Error(`The sandbox app does not run with TOLLBRIDGE_ENV=${config.environment}.`);
  return config;
}

/** @throws Error for a list that is none. */
export function parseNodes(list: string): Node[] {
  return list.split(',').map((item) => {
    const [chainId = '', ...url] = item.split('=');
    const rpcUrl = url.join('=');
    if (!/^\d+$/.test(chainId) || !URL.canParse(rpcUrl))
      throw new Error(`SANDBOX_EVM_NODES: ${item} is not chain id=URL`);
    return { chainId: Number(chainId), rpcUrl };
  });
}
