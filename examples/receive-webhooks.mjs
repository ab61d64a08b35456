// Sets a webhook URL, receives and verifies a test message, and requests a replay of the message.
import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  createClient,
  listWebhooks,
  replaceSettings,
  replayWebhook,
  rotateWebhookSecret,
} from '@tollbridge/sdk';
import { sendTestWebhook, verifyWebhook } from '@tollbridge/sdk';

// In the sandbox a wallet address alone is sufficient.
const client = createClient({
  baseUrl: process.env.TOLLBRIDGE_URL ?? 'http://127.0.0.1:3000',
  wallet: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
});

let secret;
const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    const { id, type } = await verifyWebhook(Buffer.concat(parts), request.headers, secret);
    console.log(`received ${type} ${id}`);
    response.end();
    server.emit(id);
  } catch {
    response.writeHead(401).end();
  }
}).listen(0, '127.0.0.1');
await once(server, 'listening');

await replaceSettings(client, { settings: { webhookUrl: `http://127.0.0.1:${server.address().port}/` } });
({ secret } = await rotateWebhookSecret(client));
const { id, delivered } = await sendTestWebhook(client);
console.log(`delivered: ${delivered}`);
// Other messages may arrive before the replay.
const again = once(server, id);
await replayWebhook(client, { id });
await again;
for await (const { type, status, attempts } of listWebhooks(client, { limit: 5 }))
  console.log(type, status, attempts);
server.close();
