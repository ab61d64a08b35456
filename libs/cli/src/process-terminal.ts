import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadAppConfig } from './doctor/config-readers';
import type { Terminal } from './terminal';

/** Returns the terminal of this process. */
export function processTerminal(loadAppConfig: LoadAppConfig): Terminal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    controller.abort();
    // A second Ctrl-C ends the process if the command ignores the first.
    process.once('SIGINT', () => process.exit(130));
  });
  process.once('SIGTERM', () => controller.abort());
  // The reader of a pipe, such as `head`, may end early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  return {
    env: process.env,
    isInteractive: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    signal: controller.signal,
    out: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    ask: (question, options = {}) => ask(question, options, controller.signal),
    sleep: (ms) => sleep(ms, undefined, { signal: controller.signal }).catch(() => undefined),
    readInput: async () => {
      let text = '';
      for await (const chunk of process.stdin) text += String(chunk);
      return text;
    },
    loadAppConfig,
  };
}

async function ask(
  question: string,
  { isHidden = false }: { isHidden?: boolean },
  signal: AbortSignal,
): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const { Writable } = await import('node:stream');
  // The input is a key, so it is not echoed.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({
    input: process.stdin,
    output: isHidden ? silent : process.stderr,
    terminal: true,
  });
  try {
    if (isHidden) process.stderr.write(question);
    return await reader.question(isHidden ? '' : question, { signal });
  } finally {
    reader.close();
    if (isHidden) process.stderr.write('\n');
  }
}
