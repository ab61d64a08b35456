// Clients of the stream, in a separate process: raw sockets that record when the bytes of an update arrive.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { FrameReader, isClose, isPing, isText, pongFrame, textFrame } from './frame-reader.mjs';
import { summary } from './measure.mjs';
import { seriesOf } from './series.mjs';
import { nowMicros, timeIn } from './stream-clock.mjs';

// More handshakes at the same time would delay each other.
const openedAtOnce = 100;
// Updates in transit at the end of a measurement must arrive within this time, or count as missing.
const lateMs = 5_000;
const endOfHead = Buffer.from('\r\n\r\n');

const fail = (reason) => process.send({ failed: reason });

let latencies = [];
let ends = [];
let startedMs = 0;
let lastUpdate = Buffer.alloc(0);
let lastTime;

/** Parses the time of an update once, because one update goes to thousands of sockets. */
function timeOf(update) {
  if (!update.equals(lastUpdate)) {
    lastUpdate = Buffer.from(update);
    lastTime = timeIn(update);
  }
  return lastTime;
}

function record(micros) {
  latencies.push((nowMicros() - micros) / 1_000);
  ends.push((performance.now() - startedMs) / 1_000);
}

/** Opens a socket for each transaction set. Resolves when each has the current state of all its sets. */
async function open({ origin, path, ids, shared }) {
  const waiting = ids.map((id) => (shared ? [id, shared] : [id]));
  const worker = async () => {
    for (let followed = waiting.pop(); followed; followed = waiting.pop())
      await follow({ origin, path, followed });
  };
  await Promise.all(Array.from({ length: openedAtOnce }, worker));
}

function follow({ origin, path, followed }) {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    let isOpen = false;
    let states = 0;
    const frames = new FrameReader((opcode, payload) => {
      if (isPing(opcode)) return socket.write(pongFrame(payload));
      if (isClose(opcode)) return fail(`a socket was closed with ${payload.readUInt16BE(0)}`);
      if (!isText(opcode)) return;
      const micros = timeOf(payload);
      if (micros > 0) return record(micros);
      if (payload.includes('"type":"error"')) fail(payload.toString());
      // The first state of a set contains no time.
      if (payload.includes('"type":"transaction_update"') && ++states === followed.length) resolve();
    });
    const take = (bytes) => {
      if (isOpen) return frames.take(bytes);
      const end = bytes.indexOf(endOfHead);
      if (end < 0) return;
      if (!bytes.latin1Slice(0, 12).endsWith('101')) return fail(`handshake: ${bytes.toString()}`);
      isOpen = true;
      for (const transactionId of followed)
        socket.write(textFrame(JSON.stringify({ action: 'subscribe', transactionId })));
      frames.take(bytes.subarray(end + endOfHead.length));
    };
    const socket = openSocket({ hostname, port }, take);
    socket.write(handshake(`${hostname}:${port}`, path));
  });
}

const handshake = (host, path) =>
  `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
  `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`;

/** Opens sockets without a protocol for the limit. Each chunk is an update. */
async function openRaw({ origin, count }) {
  const { hostname, port } = new URL(origin);
  let left = count;
  const openOne = () =>
    new Promise((resolve) => {
      const frames = new FrameReader((_opcode, payload) => record(timeOf(payload)));
      openSocket({ hostname, port }, (bytes) => frames.take(bytes)).once('connect', resolve);
    });
  const worker = async () => {
    while (left-- > 0) await openOne();
  };
  await Promise.all(Array.from({ length: openedAtOnce }, worker));
}

// All sockets share one buffer, because a chunk is processed before the next one arrives.
const memory = Buffer.allocUnsafe(64 * 1024);

function openSocket({ hostname, port }, take) {
  const onread = { buffer: memory, callback: (length) => (take(memory.subarray(0, length)), true) };
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
  socket.on('error', (error) => fail(`a socket failed: ${error.message}`));
  socket.on('close', () => fail('a socket was closed'));
  return socket;
}

async function end({ expected, seconds }) {
  const endMs = performance.now() + lateMs;
  while (latencies.length < expected && performance.now() < endMs)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const missing = expected - latencies.length;
  return { ...summary(latencies, seconds, missing), ...seriesOf(latencies, ends, seconds) };
}

function begin() {
  [latencies, ends, startedMs] = [[], [], performance.now()];
}

const commands = { open, openRaw, begin, end };
process.on('message', async ({ command, ...given }) => {
  try {
    process.send({ done: command, result: await commands[command](given) });
  } catch (error) {
    fail(String(error));
  }
});
process.send({ ready: true });
