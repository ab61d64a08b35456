import type { PublicPayLink } from '@tollbridge/contracts';

/** An open link of 3.5 USDC on Base. */
export const aPublicPayLink = (changes: Partial<PublicPayLink> = {}): PublicPayLink => ({
  id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  name: 'Espresso',
  description: 'A double one',
  amount: '3500000',
  token: 'USDC',
  network: 'eip155:8453',
  storeName: null,
  storeColor: null,
  storeLogo: null,
  embedOrigins: [],
  receiveAddress: '0x1111111111111111111111111111111111111111',
  imageUrl: 'https://shop.example/a.png',
  expiresAt: '2026-12-31T23:59:59.000Z',
  openAmount: false,
  minAmount: null,
  successUrl: 'https://shop.example/thanks?a=1&b=2',
  cancelUrl: null,
  tokenAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  decimals: 6,
  receiverVerified: true,
  reference: '0x7462706c0198f3a27c5e7d419a553f0e2c1b4a6d',
  ...changes,
});
