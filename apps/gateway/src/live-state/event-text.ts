import { reconnectMs } from '@tollbridge/contracts';

export const eventStreamType = 'text/event-stream; charset=utf-8';

/** A comment: clients ignore it, and proxies see traffic. */
export const heartbeatText = ':\n\n';

/** Sets how long clients wait before they reconnect. */
export const retryText = (ms: number = reconnectMs): string => `retry: ${ms}\n\n`;

/**
 * A message of a stream (HTML Living Standard, section 9.2.5).
 * @param data JSON as `JSON.stringify` writes it: without line breaks, which would end the field
 * @param id the client sends it as `Last-Event-ID`; undefined where the state has no id
 */
export function eventText(event: string, data: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}
