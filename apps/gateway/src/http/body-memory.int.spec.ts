import { encodeFrame, maxFrameBytes } from '@tollbridge/nanopay-protocol';
import { eventually, runProgram, type Child } from '@tollbridge/testing';
import { once } from 'node:events';
import { frameType } from '../payment-frames/payment-frames.routes';
import { SlowClient } from '../testing/slow-client';

const many = 1_000;
const mib = 1024 * 1024;
// All clients share this buffer. The test measures only the gateway, which runs in another process.
const nearlyAll = Buffer.alloc(maxFrameBytes - 1, 1);
const frame = encodeFrame([
  { kind: 'void', callKey: Buffer.alloc(16, 1), confirmationId: Buffer.alloc(16, 2) },
]);

let gateway: Child;
let port: number;
let clients: SlowClient[];

beforeEach(async () => {
  const file = JSON.stringify(require.resolve('../testing/flooded-gateway'));
  gateway = runProgram(`import { runFloodedGateway } from ${file};\nvoid runFloodedGateway();`);
  port = await nextNumber();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.abort();
  gateway.process.kill('SIGKILL');
  await gateway.ended;
});

async function nextNumber(): Promise<number> {
  const printed = once(gateway.process.stdout!, 'data');
  const failed = gateway.ended.then(() => Promise.reject(new Error(gateway.errors())));
  const [text] = (await Promise.race([printed, failed])) as [Buffer];
  return Number(text.toString());
}

/** The peak resident memory of the gateway. */
async function peakMemory(): Promise<number> {
  gateway.process.stdin!.write('\n');
  return nextNumber();
}

async function send(path: string, from: string, more: RequestInit & { key?: string } = {}): Promise<number> {
  const headers: Record<string, string> = { 'content-type': frameType, 'x-forwarded-for': from };
  if (more.key) headers['authorization'] = more.key;
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...more });
  await reply.arrayBuffer();
  return reply.status;
}
const postFrame = (from: string, key?: string) =>
  send('/payments', from, { method: 'POST', body: frame, ...(key && { key }) });

/** The number of clients by status; 0 for clients with a body that the gateway is reading. */
function outcomes(rejectionStatus: number): Record<string, number> {
  // A client that is rejected while it sends may lose the reply.
  const statusOf = ({ status, isClosed }: SlowClient) =>
    status === 0 && isClosed ? rejectionStatus : status;
  const counts: Record<string, number> = {};
  for (const status of clients.map(statusOf)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const attacks: [
  what: string,
  addressOf: (at: number) => string,
  isChunked: boolean,
  read: number,
  rejectionStatus: number,
][] = [
  ['from one address', () => '192.0.2.1', false, 16, 429],
  ['from 1,000 addresses', (at) => `10.0.${at >> 8}.${at & 255}`, false, 32, 503],
  ['of unannounced length', () => '192.0.2.1', true, 16, 429],
];

describe('1,000 connections with bodies of 900 kB that never end', () => {
  it.each(attacks)(
    'use less than 200 MiB %s, and the gateway still serves other clients',
    async (...attack) => {
      const [_what, addressOf, isChunked, read, rejectionStatus] = attack;
      // The first request loads code, so this one warms up.
      expect(await postFrame('192.0.2.9')).toBe(200);
      const before = await peakMemory();
      const length = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': maxFrameBytes };
      const chunk = `${maxFrameBytes.toString(16)}\r\n`;
      for (let at = 0; at < many; at++) {
        const headers = { 'content-type': frameType, 'x-forwarded-for': addressOf(at), ...length };
        const client = new SlowClient(port, '/payments', headers, isChunked ? chunk : '');
        client.send(nearlyAll);
        clients.push(client);
        // A well-behaved client makes requests meanwhile.
        if (at % 100 === 0) expect(await postFrame('192.0.2.9', 'key-1')).toBe(200);
      }
      await eventually(() =>
        expect(outcomes(rejectionStatus)).toEqual({ 0: read, [rejectionStatus]: many - read }),
      );
      expect(await postFrame('192.0.2.9', 'key-1')).toBe(200);
      expect(await send('/samples', '192.0.2.9')).toBe(200);
      if (rejectionStatus === 429) expect(await postFrame('192.0.2.9')).toBe(200);
      expect((await peakMemory()) - before).toBeLessThan(200 * mib);

      for (const client of clients) client.abort();
      await eventually(async () => expect(await postFrame(addressOf(0))).toBe(200));
    },
  );
});
