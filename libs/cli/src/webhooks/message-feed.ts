import { getWebhook, listenToWebhooks, listWebhooks, TollbridgeError, type Client } from '@tollbridge/sdk';
import type { Terminal } from '../terminal';
import type { Message } from './forward-message';

const pollMs = 1_500;
const afterFailureMs = 3_000;
const listenSeconds = 120;
const renewMs = 45_000;
const pageSize = 100;
/** Ids that are remembered; messages are committed out of order, but not by this many. */
const remembered = 2_000;

export interface FeedOptions extends Pick<Terminal, 'signal' | 'sleep'> {
  isWanted(type: string): boolean;
  /** Called once, when new messages are recorded. */
  onReady(endpointUrl: string | null): void;
  /** Called when the API does not answer for a moment; the feed goes on. */
  onFailure(error: TollbridgeError): void;
}

/**
 * New messages of the merchant, oldest first, each once, until the signal is aborted. The API records them while the
 * feed renews its request, also where the settings have no `webhookUrl`.
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
        // Seen only then: after a failure it is read again.
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

/** No answer, too many requests, or a gateway that restarts. */
const isTransient = (error: unknown): error is TollbridgeError =>
  error instanceof TollbridgeError &&
  (error.status >= 500 || error.status === 429 || ['NETWORK_ERROR', 'TIMEOUT'].includes(error.code));

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
  seen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<{ id: string; type: string }[]> {
  const found: { id: string; type: string }[] = [];
  for await (const { webhooks } of listWebhooks(client, { limit: pageSize }, { signal }).pages()) {
    const fresh = webhooks.filter(({ id }) => !seen.has(id));
    found.push(...fresh);
    // Older pages are older than the start.
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
