import { once } from 'node:events';
import WebSocket from 'ws';
import { waitFor } from './client';

export interface Stream {
  received: any[];
  send(message: unknown): void;
  /** Resolves with the first message that matches. */
  until(matches: (message: any) => boolean): Promise<any>;
  close(): void;
}

export async function connect(baseUrl: string): Promise<Stream> {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v1/transaction/stream`);
  const received: any[] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  await once(socket, 'open');
  return {
    received,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    until: (matches) =>
      waitFor(`a message of the stream`, async () => received.find(matches), { everyMs: 20 }),
    close: () => socket.close(),
  };
}
