// Collects the garbage of a running Node.js process over its inspector, so that its resident memory contains only live
// objects.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';

const opensWithinMs = 10_000;

/**
 * @param {number} pid of a process that was started with `--inspect-port`
 * @param {number} port the value of that option
 * @returns {Promise<{ collect(): Promise<void>, close(): void }>}
 */
export async function garbageCollector(pid, port) {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await inspectorUrl(port));
  await once(socket, 'open');
  let id = 0;
  const collect = async () => {
    const replied = once(socket, 'message');
    socket.send(JSON.stringify({ id: ++id, method: 'HeapProfiler.collectGarbage' }));
    const [message] = await replied;
    const reply = JSON.parse(message);
    if (reply.error) throw new Error(`no garbage was collected: ${reply.error.message}`);
  };
  return { collect, close: () => socket.terminate() };
}

async function inspectorUrl(port) {
  for (const endMs = performance.now() + opensWithinMs; ; await sleep(50)) {
    try {
      const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
      return webSocketDebuggerUrl;
    } catch (error) {
      if (performance.now() > endMs) throw error;
    }
  }
}
