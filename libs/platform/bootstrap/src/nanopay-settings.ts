import { choice, text, UnusableValue, type Config, type Setting } from '@tollbridge/config';
import { readAccount, readNetwork, usdt, type Deployment } from '@tollbridge/nanopay-protocol';

const account = (
  description: string,
  example: string,
  defaults: { default?: string; sandboxDefault?: string },
): Setting<string> => ({
  description,
  example,
  ...defaults,
  read: (value: string) => {
    const raw = readAccount(value, true);
    if (raw === undefined) throw new UnusableValue('must be an account of TON in the base workchain');
    return raw;
  },
});

/** The network, contract and asset of signed nano-payments. Every app that uses them must have the same values. */
export const nanopaySettings = {
  NANOPAY_NETWORK: choice(['ton-mainnet', 'ton-testnet'], {
    description: 'network of TON that nano-payments are for; it is part of what buyers sign',
    example: 'ton-mainnet',
    default: 'ton-mainnet',
  }),
  NANOPAY_CONTRACT: account(
    'the account that holds what is deposited for nano-payments; it is part of what buyers sign',
    `0:${'ab'.repeat(32)}`,
    // An account that belongs to a public key pair.
    { sandboxDefault: '0:1e411a978149c21f93c8dd3be2cb8f45e6cc7330af6068fc6367ad83975e02c1' },
  ),
  NANOPAY_ASSET: account('master contract of the jetton that nano-payments are made in', usdt.master, {
    default: usdt.master,
    // The token that represents USDT in the sandbox.
    sandboxDefault: '0:bf01e7207c69fd0ddf3549aa38e27c2e74d3c3006e7fac4827fdffb57e4e07c7',
  }),
  NANOPAY_ASSET_SYMBOL: text({
    description: 'its symbol; it has 6 decimals',
    example: 'USDT',
    default: 'USDT',
  }),
};

export function deploymentOf(
  config: Pick<Config<typeof nanopaySettings>, keyof typeof nanopaySettings>,
  teeEndpoint: string,
): Deployment {
  return {
    network: readNetwork(config.NANOPAY_NETWORK)!,
    verifyingContract: config.NANOPAY_CONTRACT,
    asset: { symbol: config.NANOPAY_ASSET_SYMBOL, master: config.NANOPAY_ASSET, decimals: 6 },
    teeEndpoint,
  };
}
