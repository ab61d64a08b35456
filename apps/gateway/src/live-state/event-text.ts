import { reconnectMs } from '@tollbridge/contracts';

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** A comment, which clients ignore. It shows traffic to proxies. */
export const heartbeatText = ':\n\n';

/** Sets the delay before clients reconnect. */
export const retryText = (ms: number = reconnectMs): string => `retry: ${ms}\n\n`;

/**
 * A message of a stream (HTML Living Standard, section 9.2.5).
 * @param data JSON from `JSON.stringify`, because a line break would end the field
 * @param id the client returns it as `Last-Event-ID`; undefined when the state has no id
 */
export function eventText(event: string, data: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}
