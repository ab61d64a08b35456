import type { Schemas } from '../../api/client';

type Searched = Pick<
  Schemas['TransactionRecord'],
  'id' | 'tx_hash' | 'counterparty' | 'description' | 'order_id' | 'token' | 'network'
>;

/** Whether every word of a search stands somewhere in the record. */
export function matches(row: Searched, text: string): boolean {
  const { id, tx_hash, counterparty, description, order_id, token, network } = row;
  const whole = [id, tx_hash, counterparty, description, order_id, token, network].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
