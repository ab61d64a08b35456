// Written by `npm run docs` from viem's chain definitions (MIT).
/** Public nodes by EIP-155 id: wallets ask them once they have added the chain. */
export const publicNodes: Readonly<Record<number, string>> = {
  8453: 'https://mainnet.base.org',
  42161: 'https://arb1.arbitrum.io/rpc',
  137: 'https://polygon.drpc.org',
  10: 'https://mainnet.optimism.io',
  56: 'https://56.rpc.thirdweb.com',
  43114: 'https://api.avax.network/ext/bc/C/rpc',
  84532: 'https://sepolia.base.org',
  100: 'https://rpc.gnosischain.com',
  534352: 'https://rpc.scroll.io',
  143: 'https://rpc.monad.xyz',
  80094: 'https://rpc.berachain.com',
};
