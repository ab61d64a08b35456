import { runProgram, type Child } from '@tollbridge/testing';
import { join } from 'node:path';

const children: Child[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill('SIGKILL');
    await child.ended;
  }
});

/**
 * Starts a process with `body` as its main.ts. The process prints `ready` when it handles signals.
 * @param shortMs duration of the timer to shorten to 200 ms; all other timers are longer than a test
 */
function start(body: string, shortMs = 0): Child {
  const child = runProgram(`
    import { ConfigurationError } from '@tollbridge/config';
    import { createLogger } from '@tollbridge/observability';
    import { run } from ${JSON.stringify(join(__dirname, 'run'))};
    const real = globalThis.setTimeout;
    globalThis.setTimeout = ((work: () => void, ms: number) =>
      real(work, ms === ${shortMs} ? 200 : ms >= 1_000 ? 60_000 : ms)) as never;
    const say = (text: string) => process.stdout.write(text + '\\n');
    const alive = setInterval(() => undefined, 1_000);
    ${body}
    say('ready');
  `);
  children.push(child);
  return child;
}

async function waitForOutput(child: Child, text: string): Promise<void> {
  while (!child.output().includes(text + '\n'))
    await Promise.race([
      new Promise((resolve) => child.process.stdout!.once('data', resolve)),
      child.ended.then(() => Promise.reject(new Error(`ended without ${text}: ${child.errors()}`))),
    ]);
}

const closing = `run(async () => ({ close: async () => say('closed') }));`;

describe('run on a signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('closes the service on %s and exits with 0', async (signal) => {
    const child = start(closing);
    await waitForOutput(child, 'ready');
    child.process.kill(signal);
    expect(await child.ended).toBe(0);
    expect(child.output()).toBe('ready\nclosed\n');
    expect(child.errors()).toBe('');
  });

  it('closes the service once when signals repeat', async () => {
    const child = start(`run(async () => ({ close: () => new Promise((resolve) => {
      say('closing');
      process.stdin.once('data', () => { say('closed'); resolve(); });
    }) }));`);
    await waitForOutput(child, 'ready');
    child.process.kill('SIGTERM');
    await waitForOutput(child, 'closing');
    child.process.kill('SIGTERM');
    child.process.kill('SIGINT');
    child.process.stdin!.write('go on\n');
    expect(await child.ended).toBe(0);
    expect(child.output()).toBe('ready\nclosing\nclosed\n');
  });

  it('closes a service when its start completes after the signal', async () => {
    const child = start(`run(() => new Promise((resolve) => {
      process.stdin.once('data', () => resolve({ close: async () => say('closed') }));
    }));`);
    await waitForOutput(child, 'ready');
    child.process.kill('SIGTERM');
    child.process.stdin!.write('go on\n');
    expect(await child.ended).toBe(0);
    expect(child.output()).toBe('ready\nclosed\n');
  });

  it('exits within seconds when the start never completes', async () => {
    const child = start(`run(() => new Promise(() => undefined));`, 2_000);
    await waitForOutput(child, 'ready');
    const startMs = performance.now();
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    // Every other timer takes a minute in this test.
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });

  it('exits with the exit code that the process has set', async () => {
    const child = start(`${closing} process.exitCode = 1;`);
    await waitForOutput(child, 'ready');
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(1);
    expect(child.output()).toContain('closed');
  });

  it('exits with 1 and prints the error when the close fails', async () => {
    const child = start(`run(async () => ({ close: () => Promise.reject(new Error('stuck')) }));`);
    await waitForOutput(child, 'ready');
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(1);
    expect(child.errors()).toContain('Error: stuck');
  });

  it('exits with 1 when the close does not finish in time', async () => {
    const child = start(
      `run(async () => ({ closeTimeoutMs: 3_000, close: () => new Promise(() => undefined) }));`,
      3_000,
    );
    await waitForOutput(child, 'ready');
    const startMs = performance.now();
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(1);
    expect(performance.now() - startMs).toBeGreaterThan(190);
    // Every other timer takes a minute in this test.
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });
});

describe('run after a failure', () => {
  it('prints only the errors of an invalid configuration', async () => {
    const child = start(
      `run(() => Promise.reject(new ConfigurationError(['A is missing', 'B is missing'])));`,
    );
    expect(await child.ended).toBe(1);
    expect(child.errors()).toBe('The configuration is not usable:\n  - A is missing\n  - B is missing\n');
  });

  it('prints the stack of an error during the start', async () => {
    const child = start(`run(() => Promise.reject(new TypeError('broken')));`);
    expect(await child.ended).toBe(1);
    expect(child.errors()).toContain('TypeError: broken');
    expect(child.errors()).toContain('program.ts');
  });

  it.each([
    ['an unhandled rejection', `void Promise.reject(new Error('forgotten'));`],
    ['an uncaught exception', `setImmediate(() => { throw new Error('forgotten'); });`],
    ['a rejection with a value that is not an Error', `void Promise.reject('forgotten');`],
  ])('writes the last log lines and exits with 1 after %s', async (_case, fail) => {
    const child = start(`${closing} createLogger('shop').info('last words'); ${fail}`);
    expect(await child.ended).toBe(1);
    expect(child.errors()).toContain('forgotten');
    expect(child.output()).toContain('"msg":"last words"');
  });
});
