import type { TransactionRecord } from '@tollbridge/contracts';
import { v7 as uuid } from 'uuid';

/** A completed payment of 1 USDC on Base. */
export const aTransactionRecord = (changes: Partial<TransactionRecord> = {}): TransactionRecord => ({
  id: uuid(),
  wallet_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  tx_type: 'payment',
  amount: '1000000',
  token: 'USDC',
  network: 'eip155:8453',
  status: 'completed',
  tx_hash: '0xa1',
  counterparty: null,
  description: 'Order of shop-17',
  order_id: null,
  payment_request_id: null,
  paylink_id: null,
  metadata: null,
  value_usd: '1',
  fee_amount: '5000',
  late: false,
  confirmed_by: 'chain',
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:07.000Z',
  ...changes,
});
