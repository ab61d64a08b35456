// A facilitator with the text protocol of the x402 e2e tests. It forwards to the gateway TOLLBRIDGE_GATEWAY.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const { PORT, TOLLBRIDGE_GATEWAY } = process.env;
const forwarded = ['/verify', '/settle', '/supported', '/discovery/resources'];

const server = createServer(async (request, response) => {
  const answer = (status, json) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(json);
  const path = new URL(request.url, 'http://localhost').pathname;
  if (path === '/health') return answer(200, '{"status":"ok"}');
  if (path === '/close') {
    answer(200, '{"message":"closed"}');
    return setTimeout(() => process.exit(0), 100);
  }
  if (!forwarded.includes(path)) return answer(404, '{"error":"not found"}');
  try {
    const body = request.method === 'GET' ? undefined : await text(request);
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(TOLLBRIDGE_GATEWAY + request.url, { method: request.method, headers, body });
    const replied = await reply.text();
    if (path !== '/supported' || !reply.ok) process.stdout.write(`${path} ${reply.status} ${replied}\n`);
    answer(reply.status, replied);
  } catch (error) {
    answer(502, JSON.stringify({ error: String(error) }));
  }
});
server.listen(Number(PORT), () => process.stdout.write('Facilitator listening\n'));
process.on('SIGTERM', () => process.exit(0));
