/** A token with a value of one dollar. */
export interface Stablecoin {
  /** Contract address on EVM chains; mint on Solana. */
  address: string;
  decimals: number;
  symbol?: string;
  /** Name and version of the token's EIP-712 domain, for a token on an EVM chain. */
  name?: string;
  version?: string;
}

const usdc = (address: string, name?: string): Stablecoin => ({
  address,
  decimals: 6,
  symbol: 'USDC',
  ...(name === undefined ? {} : { name, version: '2' }),
});

/** Circle's USDC, by CAIP-2 network. */
const known: Readonly<Record<string, Stablecoin>> = {
  'eip155:1': usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USD Coin'),
  'eip155:137': usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USD Coin'),
  'eip155:8453': usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USD Coin'),
  'eip155:42161': usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USD Coin'),
  'eip155:43114': usdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 'USD Coin'),
  'eip155:84532': usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC'),
  'eip155:421614': usdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d', 'USD Coin'),
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': usdc('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': usdc('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'),
};

/** Returns USDC of a network, or undefined if the list does not contain the network. */
export const knownUsdc = (network: string): Stablecoin | undefined => known[network];
