import { getWebhook, listenToWebhooks, listWebhooks, type Client } from '@tollbridge/sdk';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from './forward-message';

const pollMs = 1_500;
const listenSeconds = 120;
const renewMs = 45_000;
const pageSize = 100;
/** Ids that are remembered; messages are committed out of order, but not by this many. */
const remembered = 2_000;

export interface FeedOptions {
  signal: AbortSignal;
  isWanted(type: string): boolean;
  /** Called once, when new messages are recorded. */
  onReady(endpointUrl: string | null): void;
}

/**
 * New messages of the merchant, oldest first, each once, until the signal is aborted. The API records them while the feed
 * renews its request, also where the settings have no `webhookUrl`.
 * @throws TollbridgeError
 */
export async function* newMessages(
  client: Client,
  { signal, isWanted, onReady }: FeedOptions,
): AsyncGenerator<Message> {
  const seen = new Set<string>();
  let renewAtMs = 0;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    if (performance.now() >= renewAtMs) {
      const { url } = await listenToWebhooks(client, { seconds: listenSeconds }, { signal });
      renewAtMs = performance.now() + renewMs;
      if (isFirst) {
        await remember(client, seen, signal);
        onReady(url);
      }
    }
    for (const { id, type } of await unseen(client, seen, signal)) {
      if (!isWanted(type)) continue;
      const { payload } = await getWebhook(client, { id }, { signal });
      yield { id, type, payload };
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** What is there already is not new. */
async function remember(client: Client, seen: Set<string>, signal: AbortSignal): Promise<void> {
  const { webhooks } = await listWebhooks(client, { limit: pageSize }, { signal });
  for (const { id } of webhooks) seen.add(id);
}

/**
 * Reads pages up to one without anything new: a message that was committed late has an id before those that were seen.
 */
async function unseen(
  client: Client,
  seen: Set<string>,
  signal: AbortSignal,
): Promise<{ id: string; type: string }[]> {
  const found: { id: string; type: string }[] = [];
  for await (const { webhooks } of listWebhooks(client, { limit: pageSize }, { signal }).pages()) {
    const fresh = webhooks.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    found.push(...fresh);
    // Older pages are older than the start.
    if (fresh.length < webhooks.length || webhooks.length === 0) break;
  }
  forgetOldest(seen);
  return found.reverse();
}

function forgetOldest(seen: Set<string>): void {
  for (const id of seen) {
    if (seen.size <= remembered) return;
    seen.delete(id);
  }
}
