import type { Order, OrderDeposit } from '../order';

/** A settling order of 1 USDC with a fee of 0.005 on Base, created at noon. */
export function anOrder(changes: Partial<Order> = {}): Order {
  const createdAtMs = Date.UTC(2026, 10, 20, 12);
  return {
    id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
    method: 'Direct',
    payChain: 'eip155:8453',
    payToken: 'USDC',
    settleChain: 'eip155:8453',
    settleToken: 'USDC',
    merchantAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    conversion: null,
    merchantAmount: 1_000_000n,
    feeReceiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    feeAmount: 5_000n,
    merchantId: 'demo-merchant',
    payerAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    isPayerless: false,
    direct: {
      contractAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      tokenInAddress: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    },
    createdAtMs,
    expiresAtMs: createdAtMs + 1_800_000,
    status: 'settling',
    payTx: null,
    settleTx: null,
    settledAmount: null,
    failureReason: null,
    isLate: false,
    lastReport: null,
    deposit: null,
    paidHeight: null,
    version: 1,
    updatedAtMs: createdAtMs,
    ...changes,
  };
}

/** A deposit of 0.0000165 BTC that has not arrived. */
export const anOrderDeposit = (changes: Partial<OrderDeposit> = {}): OrderDeposit => ({
  address: 'bc1qdeposit',
  memo: null,
  amount: 1_650n,
  decimals: 8,
  estimatedSeconds: 60,
  state: 'waiting',
  depositedAmount: null,
  refundedAmount: null,
  proof: null,
  forwarded: [],
  ...changes,
});
