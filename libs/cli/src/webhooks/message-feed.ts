import { getWebhook, listenToWebhooks, listWebhooks, TollbridgeError, type Client } from '@tollbridge/sdk';
import type { Terminal } from '../terminal';
import type { Message } from './forward-message';

const pollMs = 1_500;
const afterFailureMs = 3_000;
const listenSeconds = 120;
const renewMs = 45_000;
const pageSize = 100;
/** Number of remembered ids. Messages are committed out of order, but by far fewer positions. */
const remembered = 2_000;

export interface FeedOptions extends Pick<Terminal, 'signal' | 'sleep'> {
  isWanted(type: string): boolean;
  /** Called once, when the API records new messages. */
  onReady(endpointUrl: string | null): void;
  /** Called after a temporary failure of the API. The feed continues. */
  onFailure(error: TollbridgeError): void;
}

/**
 * Yields new messages of the merchant, oldest first, each once, until the signal is aborted. The API records them while
 * the feed renews its request, even if the settings have no `webhookUrl`.
 * @throws TollbridgeError
 */
export async function* newMessages(client: Client, options: FeedOptions): AsyncGenerator<Message> {
  const { signal, sleep, isWanted, onReady, onFailure } = options;
  const seen = new Set<string>();
  const { url } = await listen(client, signal);
  let renewAtMs = performance.now() + renewMs;
  await remember(client, seen, signal);
  onReady(url);
  while (!signal.aborted) {
    await sleep(pollMs);
    try {
      if (performance.now() >= renewAtMs) {
        await listen(client, signal);
        renewAtMs = performance.now() + renewMs;
      }
      for (const { id, type } of await unseen(client, seen, signal)) {
        // The id is remembered only after the read, so that a failed read is retried.
        const message = isWanted(type) ? await readMessage(client, id, signal) : undefined;
        seen.add(id);
        if (message) yield message;
      }
      forgetOldest(seen);
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      onFailure(error);
      await sleep(afterFailureMs);
    }
  }
}

const listen = (client: Client, signal: AbortSignal) =>
  listenToWebhooks(client, { seconds: listenSeconds }, { signal });

async function readMessage(client: Client, id: string, signal: AbortSignal): Promise<Message> {
  const { type, payload } = await getWebhook(client, { id }, { signal });
  return { id, type, payload };
}

/** Whether a failure is temporary: no reply, a rate limit, or a restarting gateway. */
const isTransient = (error: unknown): error is TollbridgeError =>
  error instanceof TollbridgeError &&
  (error.status >= 500 || error.status === 429 || ['NETWORK_ERROR', 'TIMEOUT'].includes(error.code));

/** Remembers existing messages, which are not new. */
async function remember(client: Client, seen: Set<string>, signal: AbortSignal): Promise<void> {
  const { webhooks } = await listWebhooks(client, { limit: pageSize }, { signal });
  for (const { id } of webhooks) seen.add(id);
}

/**
 * Reads pages up to a page without new messages. A message that was committed late has an id before ids that were
 * already read.
 */
async function unseen(
  client: Client,
  seen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<{ id: string; type: string }[]> {
  const found: { id: string; type: string }[] = [];
  for await (const { webhooks } of listWebhooks(client, { limit: pageSize }, { signal }).pages()) {
    const fresh = webhooks.filter(({ id }) => !seen.has(id));
    found.push(...fresh);
    // Older pages contain only messages from before the start.
    if (fresh.length < webhooks.length || webhooks.length === 0) break;
  }
  return found.reverse();
}

function forgetOldest(seen: Set<string>): void {
  for (const id of seen) {
    if (seen.size <= remembered) return;
    seen.delete(id);
  }
}
