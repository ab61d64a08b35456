import { AppRequest, Base64, hexToByteArray, SessionCrypto, type RpcMethod } from '@tonconnect/protocol';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TonPayer } from '../ton-payer';

/** A TON Connect HTTP bridge in memory: event streams by client, and undelivered messages. */
export class TonBridge {
  private readonly streams = new Map<string, ServerResponse>();
  private readonly waiting = new Map<string, string[]>();
  private ids = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response: ServerResponse) => {
      const url = new URL(request.url!, 'http://bridge');
      response.setHeader('access-control-allow-origin', '*');
      if (url.pathname === '/bridge/events') return this.stream(url.searchParams.get('client_id')!, response);
      let message = '';
      request.on('data', (chunk) => (message += chunk));
      request.on('end', () => {
        const from = url.searchParams.get('client_id')!;
        this.send(url.searchParams.get('to')!, JSON.stringify({ from, message }));
        response.end('{"message":"OK","statusCode":200}');
      });
    });
  }

  static async open(port = 0): Promise<TonBridge> {
    const server = createServer();
    const bridge = new TonBridge(server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return bridge;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/bridge`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private stream(client: string, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
    this.streams.set(client, response);
    for (const text of this.waiting.get(client) ?? []) this.send(client, text);
    this.waiting.delete(client);
  }

  send(to: string, text: string): void {
    const stream = this.streams.get(to);
    if (!stream) return void this.waiting.set(to, [...(this.waiting.get(to) ?? []), text]);
    stream.write(`id: ${++this.ids}\nevent: message\ndata: ${text}\n\n`);
  }
}

/** The wallet on another device: opens the universal link, connects, and pays on request. */
export async function openTonWallet(bridgeUrl: string, link: string, payer: TonPayer): Promise<() => void> {
  const app = new URL(link).searchParams.get('id')!;
  const session = new SessionCrypto();
  const stopping = new AbortController();
  const send = async (content: object): Promise<void> => {
    const body = Base64.encode(session.encrypt(JSON.stringify(content), hexToByteArray(app)));
    const query = new URLSearchParams({ client_id: session.sessionId, to: app, ttl: '300' });
    await fetch(`${bridgeUrl}/message?${query}`, { method: 'POST', body });
  };
  const answer = async (data: string): Promise<void> => {
    const { from, message } = JSON.parse(data) as { from: string; message: string };
    const text = session.decrypt(Base64.decode(message).toUint8Array(), hexToByteArray(from));
    const request = JSON.parse(text) as AppRequest<RpcMethod>;
    await payer.pay(JSON.parse(request.params[0]!) as never);
    await send({ result: 'te6ccgEBAQEAAgAAAA==', id: request.id });
  };
  const stream = await fetch(`${bridgeUrl}/events?client_id=${session.sessionId}`, {
    signal: stopping.signal,
  });
  void followEvents(stream, answer).catch(() => undefined);
  const items = [{ name: 'ton_addr', address: payer.address, network: '-239' }];
  await send({ event: 'connect', id: 1, payload: { items } });
  return () => stopping.abort();
}

async function followEvents(stream: Response, receive: (data: string) => Promise<void>): Promise<void> {
  let text = '';
  for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop()!;
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) await receive(data);
    }
  }
}
