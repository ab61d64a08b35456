import type { OrderChanged } from '@tollbridge/contracts';
import { v7 as uuid } from 'uuid';

/** A settled order, paid directly with one USDC. */
export const anOrderChanged = (changes: Partial<OrderChanged> = {}): OrderChanged => ({
  order_id: uuid(),
  status: 'settled',
  method: 'Direct',
  merchant_id: 'shop-17',
  merchant_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  payer_address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  pay_blockchain: 'eip155:8453',
  pay_token: 'USDC',
  settle_chain: 'eip155:8453',
  settle_token: 'USDC',
  merchant_amount: '1000000',
  fee_amount: '5000',
  pay_tx: `0x${'a1'.repeat(32)}`,
  settle_tx: `0x${'a1'.repeat(32)}`,
  settled_amount: '1000000',
  failure_reason: null,
  late: false,
  created_by: null,
  settled_value_usd: '1',
  version: 3,
  updated_at: '2026-11-20T12:00:07.000Z',
  ...changes,
});
