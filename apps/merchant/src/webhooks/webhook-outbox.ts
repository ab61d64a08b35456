import type { WebhookData, WebhookType } from '@tollbridge/api';
import { v7 as uuid } from 'uuid';
import { insertMessage, type Transaction } from './webhook-messages.repository';

/** A change that a merchant is told. */
export interface MerchantMessage<T extends WebhookType = WebhookType> {
  /** Whose endpoint it goes to, in canonical form. */
  wallet: string;
  type: T;
  data: WebhookData<T>;
  nowMs: number;
}

/**
 * Tells a merchant by webhook, as part of the transaction that makes the change: either both are there or neither.
 * A wallet without an endpoint at that moment is told nothing, and nothing is stored for it.
 */
export async function tellMerchant<T extends WebhookType>(
  client: Transaction,
  { wallet, type, data, nowMs }: MerchantMessage<T>,
): Promise<void> {
  await insertMessage(client, { ...newMessage(type, data, nowMs), wallet, type, nowMs });
}

/** A message as it is signed and sent. Its id begins with its time, so that ids are in the order of creation. */
export function newMessage<T extends WebhookType>(
  type: T,
  data: WebhookData<T>,
  nowMs: number,
): { id: string; payload: string } {
  const timestamp = new Date(nowMs).toISOString();
  return { id: `msg_${uuid().replaceAll('-', '')}`, payload: JSON.stringify({ type, timestamp, data }) };
}
