// Compares HTTP clients for small JSON posts over kept connections; docs/decisions/0047-libraries.md has the results:
// node tools/bench/http-clients.mjs (after `npm install --no-save undici@7.30.2` with undici)
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest } from 'node:http';
import { fileURLToPath } from 'node:url';

const posts = 20_000;
const inFlight = 32;
const body = JSON.stringify({ text: 'x'.repeat(500) });
const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
const reply = JSON.stringify({ text: 'y'.repeat(2_000) });
const self = fileURLToPath(import.meta.url);

/** Each function receives the URL, and returns a function that sends one request and reads the reply. */
const clients = {
  'node:http': async (url) => {
    const agent = new Agent({ keepAlive: true });
    return async () => {
      const sent = httpRequest(url, { method: 'POST', agent, headers });
      sent.end(body);
      const [message] = await once(sent, 'response');
      await read(message);
    };
  },
  fetch: async (url) => async () => read((await fetch(url, { method: 'POST', headers, body })).body),
  undici: async (url) => {
    const { Agent: Dispatcher, request } = await import('undici');
    const dispatcher = new Dispatcher();
    return async () => read((await request(url, { method: 'POST', dispatcher, headers, body })).body);
  },
};

async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function serve() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(reply));
  });
  server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}/`));
}

/** Runs in a separate process, so that its memory is that of one client. */
async function measure(name, url) {
  const residentMb = () => Math.round(process.memoryUsage.rss() / 1024 / 1024);
  const post = await clients[name](url);
  await post();
  const [idleMb, startMs, start] = [residentMb(), performance.now(), process.cpuUsage()];
  let [sent, peakMb] = [0, 0];
  const work = async () => {
    while (sent++ < posts) {
      await post();
      if (sent % 500 === 0) peakMb = Math.max(peakMb, residentMb());
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  const { user, system } = process.cpuUsage(start);
  const perSecond = Math.round((posts / (performance.now() - startMs)) * 1_000);
  return { name, perSecond, cpuMicroseconds: Math.round((user + system) / posts), idleMb, peakMb };
}

const [mode, url] = process.argv.slice(2);
if (mode === 'serve') serve();
else if (mode) process.send(await measure(mode, url).catch((error) => ({ name: mode, failed: error.code })));
else {
  const server = fork(self, ['serve']);
  const [serverUrl] = await once(server, 'message');
  for (let round = 0; round < 2; round++)
    for (const name of Object.keys(clients)) {
      const child = fork(self, [name, serverUrl]);
      const [result] = await once(child, 'message');
      console.log(JSON.stringify(result));
      child.kill();
    }
  server.kill();
}
