// The clients of the stream, in a process of their own: told what to open, and when to note how late updates come.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { summary } from './measure.mjs';
import { nowMicros } from './stream-clock.mjs';

// More at once would wait for each other's handshakes.
const openedAtOnce = 100;
let latencies = [];

/** Opens one socket for each set of transactions; resolves when each has heard its state. */
async function open({ url, ids }) {
  const waiting = [...ids];
  const worker = async () => {
    for (let id = waiting.pop(); id; id = waiting.pop()) await follow(url, id);
  };
  await Promise.all(Array.from({ length: openedAtOnce }, worker));
}

async function follow(url, transactionId) {
  const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
  await once(socket, 'open');
  socket.on('close', (code) => process.send({ failed: `a socket was closed with ${code}` }));
  const known = new Promise((resolve) =>
    socket.on('message', (bytes) => {
      const { type, data } = JSON.parse(bytes);
      if (type === 'error') process.send({ failed: String(bytes) });
      if (type !== 'transaction_update') return;
      // The state at the beginning was not told by the bench.
      if (data.version > 1) latencies.push((nowMicros() - data.timestamp) / 1_000);
      else resolve();
    }),
  );
  socket.send(JSON.stringify({ action: 'subscribe', transactionId }));
  await known;
}

process.on('message', async ({ command, ...given }) => {
  if (command === 'open') await open(given);
  if (command === 'begin') latencies = [];
  if (command === 'end') {
    // What is under way comes, or is missing in the count.
    const endMs = performance.now() + 5_000;
    while (latencies.length < given.expected && performance.now() < endMs)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const missing = given.expected - latencies.length;
    process.send({ ...summary(latencies, 1, missing), missing });
    return;
  }
  process.send({ done: command });
});
process.send({ ready: true });
