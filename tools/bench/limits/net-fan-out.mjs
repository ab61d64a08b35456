// Limit of the fan-out: a plain TCP server that writes one prepared frame to all of its sockets.
import { createServer } from 'node:net';
import { hashWithTime, nowMicros } from '../stream-clock.mjs';

const sockets = new Set();
const server = createServer({ noDelay: true }, (socket) => {
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => sockets.delete(socket));
});
// A message of the same size as that of the stream.
const update = {
  transactionId: '00000000-0000-4000-8000-000000000000',
  status: 'confirming',
  step: 'originSwap',
  confirmations: 1,
  requiredConfirmations: 3,
  timestamp: 1_795_176_000,
  version: 1,
};

process.on('message', () => {
  const data = { ...update, txHash: hashWithTime(nowMicros()) };
  const payload = Buffer.from(JSON.stringify({ type: 'transaction_update', data }));
  const head = Buffer.from([0x81, 126, payload.length >> 8, payload.length & 0xff]);
  const frame = Buffer.concat([head, payload]);
  for (const socket of sockets) socket.write(frame);
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
