import { getWebhookEndpoint, listWebhooks, toResult } from '@tollbridge/sdk';
import type { CommandContext } from '../command';

const pollMs = 500;
// A message is created within a second after its cause.
const mostPolls = 6;

/** Returns the newest message of a type; undefined if the key lacks the read permission. */
export async function newestMessage(
  { client }: Pick<CommandContext, 'client'>,
  type: string,
): Promise<{ id: string | undefined } | undefined> {
  const result = await toResult(listWebhooks(client, { type: type as 'webhook.test', limit: 1 }));
  return result.ok ? { id: result.value.webhooks[0]?.id } : undefined;
}

/** Prints why no message was created: the API creates messages only for a `webhookUrl` or a listener. */
export async function noteWithoutMessage(
  { client, terminal }: Pick<CommandContext, 'client' | 'terminal'>,
  type: string,
  before: { id: string | undefined },
): Promise<void> {
  const endpoint = await toResult(getWebhookEndpoint(client));
  if (!endpoint.ok || endpoint.value.url !== null) return;
  for (let polled = 0; polled < mostPolls && !terminal.signal.aborted; polled++) {
    const newest = await newestMessage({ client }, type);
    if (!newest || newest.id !== before.id) return;
    await terminal.sleep(pollMs);
  }
  terminal.note(
    `No message of type ${type} yet. Without a webhookUrl, messages are made only while tollbridge listen runs: set webhookUrl in the settings, or run tollbridge listen in another terminal, and trigger again.`,
  );
}
