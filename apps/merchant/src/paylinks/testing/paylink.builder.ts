import type { PayLink } from '../paylink';

/** An open link for 100 units of USDC on Base, created one minute before noon. */
export function aPayLink(changes: Partial<PayLink> = {}): PayLink {
  const createdAtMs = Date.parse('2026-11-21T11:59:00Z');
  return {
    id: 'link',
    wallet: 'w',
    name: 'Espresso',
    description: '',
    amount: 100n,
    minAmount: null,
    conversion: null,
    chain: 'eip155:8453',
    token: 'USDC',
    tokenAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    decimals: 6,
    receiveAddress: '0x1111111111111111111111111111111111111111',
    imageUrl: null,
    successUrl: null,
    cancelUrl: null,
    metadata: null,
    expiresAtMs: null,
    maxPayments: null,
    isActive: true,
    closedAtMs: null,
    pauses: [],
    isDeleted: false,
    paymentCount: 0,
    unverifiedCount: 0,
    createdAtMs,
    updatedAtMs: createdAtMs,
    ...changes,
  };
}
