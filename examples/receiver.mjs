// Verifies the webhooks of the shop and prints them, on port 4000.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(JSON.parse(readFileSync('webhook.json', 'utf8')).secret);
createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  try {
    const { type, data } = webhook.verify(body, request.headers);
    console.log(type, data);
    response.end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(Number(process.env.PORT ?? 4000), '127.0.0.1');
