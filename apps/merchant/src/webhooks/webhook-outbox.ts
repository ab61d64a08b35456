import type { WebhookData, WebhookType } from '@tollbridge/contracts';
import { v7 as uuid } from 'uuid';
import { insertMessages, walletsWithEndpoint, type Transaction } from './webhook-messages.repository';

/** A notification for a merchant. */
export interface MerchantMessage<T extends WebhookType = WebhookType> {
  /** The wallet that has the endpoint, in canonical form. */
  wallet: string;
  type: T;
  data: WebhookData<T>;
  nowMs: number;
  /** The trace context of the change, which the delivery continues. */
  traceparent?: string;
}

/**
 * Notifies a merchant by webhook, in the transaction of the change, so that the message exists only if the change does.
 * A wallet without an endpoint or a listener gets no message, and nothing is stored for it.
 */
export async function notifyMerchant<T extends WebhookType>(
  client: Transaction,
  message: MerchantMessage<T>,
): Promise<void> {
  await notifyMerchants(client, [message]);
}

/** Notifies of several changes. Messages of one wallet are sent in this order. */
export async function notifyMerchants(
  client: Transaction,
  messages: readonly MerchantMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  // Most wallets have no endpoint, and building a payload costs more than this lookup.
  const latestMs = Math.max(...messages.map(({ nowMs }) => nowMs));
  const reachable = await walletsWithEndpoint(
    client,
    new Set(messages.map(({ wallet }) => wallet)),
    latestMs,
  );
  await notifyReachable(
    client,
    messages.filter(({ wallet }) => reachable.has(wallet)),
    reachable,
  );
}

/**
 * Notifies of several changes when the endpoints have been read already.
 * @param messages messages to these wallets only
 * @param reachable the result of `walletsWithEndpoint`
 */
export async function notifyReachable(
  client: Transaction,
  messages: readonly MerchantMessage[],
  reachable: ReadonlyMap<string, string | null>,
): Promise<void> {
  if (messages.length === 0) return;
  const made = messages.map(({ wallet, type, data, nowMs, traceparent }) => ({
    ...newMessage(type, data, { nowMs, storeName: reachable.get(wallet) ?? null }),
    wallet,
    type,
    nowMs,
    ...(traceparent !== undefined && { traceparent }),
  }));
  await insertMessages(client, made);
}

/** Builds a message in its signed form. Its id begins with the time, so that ids are in the order of creation. */
export function newMessage<T extends WebhookType>(
  type: T,
  data: WebhookData<T>,
  { nowMs, storeName }: { nowMs: number; storeName: string | null },
): { id: string; payload: string } {
  const timestamp = new Date(nowMs).toISOString();
  const payload = JSON.stringify({ type, timestamp, store_name: storeName, data });
  return { id: `msg_${uuid().replaceAll('-', '')}`, payload };
}
