// Clients of event streams, in a separate process: raw sockets that count messages and record their arrival times.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMicros } from '../stream-clock.mjs';

// More connections at the same time would delay each other.
const openedAtOnce = 50;
const message = Buffer.from('\nevent: order\n');

let sockets = [];
let received = 0;
let lastMicros = 0;
let arrivals = [];

// All sockets share one buffer, because a chunk is processed before the next one arrives.
const memory = Buffer.allocUnsafe(64 * 1024);

/** Opens a stream for each path. Resolves when each has received its first state. */
async function open({ origin, paths, key }) {
  const waiting = [...paths];
  const worker = async () => {
    for (let path = waiting.pop(); path; path = waiting.pop()) await follow(origin, path, key);
  };
  await Promise.all(Array.from({ length: openedAtOnce }, worker));
}

function follow(origin, path, key) {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    let isOpen = false;
    const take = (bytes) => {
      if (!isOpen && !bytes.latin1Slice(0, 12).endsWith('200')) return reject(new Error(bytes.toString()));
      isOpen = true;
      if (bytes.indexOf(message) < 0) return;
      received++;
      arrivals.push((lastMicros = nowMicros()));
      resolve();
    };
    const onread = { buffer: memory, callback: (length) => (take(memory.subarray(0, length)), true) };
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
    socket.on('error', reject);
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: text/event-stream\r\nauthorization: Bearer ${key}\r\n\r\n`,
    );
    sockets.push(socket);
  });
}

function begin() {
  [received, arrivals] = [0, []];
}

/** @returns the arrival times in microseconds, in order */
async function end({ expected, withinMs }) {
  const endMs = performance.now() + withinMs;
  while (received < expected && performance.now() < endMs) await sleep(5);
  if (received < expected) throw new Error(`${received} of ${expected} messages arrived`);
  return { count: received, first: arrivals[0], median: arrivals[arrivals.length >> 1], last: lastMicros };
}

function close() {
  for (const socket of sockets) socket.destroy();
  sockets = [];
}

const commands = { open, begin, end, close };
process.on('message', async ({ command, ...given }) => {
  try {
    process.send({ result: (await commands[command](given)) ?? null });
  } catch (error) {
    process.send({ failed: String(error) });
  }
});
