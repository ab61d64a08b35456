import type { Offer } from '../offers';

/** Builds an offer of 0.001 USDC on Base. */
export const anOffer = (changes: Partial<Offer> = {}): Offer => ({
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '1000',
  payTo: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
  ...changes,
});
