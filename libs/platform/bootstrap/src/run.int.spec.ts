import { runProgram, type Child } from '@tollbridge/testing';
import { join } from 'node:path';

const children: Child[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.process.kill('SIGKILL');
    await child.ended;
  }
});

/** A process whose `main.ts` is `run(start)`, where `body` defines start; `ready` is said when signals are heard. */
function start(body: string): Child {
  const child = runProgram(`
    import { ConfigurationError } from '@tollbridge/config';
    import { createLogger } from '@tollbridge/observability';
    import { run } from ${JSON.stringify(join(__dirname, 'run'))};
    // What takes longer than a test may is shortened.
    const real = globalThis.setTimeout;
    globalThis.setTimeout = ((work: () => void, ms: number) => real(work, ms >= 1_000 ? ms / 10 : ms)) as never;
    const say = (text: string) => process.stdout.write(text + '\\n');
    const alive = setInterval(() => undefined, 1_000);
    ${body}
    say('ready');
  `);
  children.push(child);
  return child;
}

async function said(child: Child, text: string): Promise<void> {
  while (!child.output().includes(text + '\n'))
    await Promise.race([
      new Promise((resolve) => child.process.stdout!.once('data', resolve)),
      child.ended.then(() => Promise.reject(new Error(`ended without ${text}: ${child.errors()}`))),
    ]);
}

const closing = `run(async () => ({ close: async () => say('closed') }));`;

describe('a process that is asked to end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s closes, and ends with 0', async (signal) => {
    const child = start(closing);
    await said(child, 'ready');
    child.process.kill(signal);
    expect(await child.ended).toBe(0);
    expect(child.output()).toBe('ready\nclosed\n');
    expect(child.errors()).toBe('');
  });

  it('again and again closes once', async () => {
    const child = start(`run(async () => ({ close: () => new Promise((resolve) => {
      say('closing');
      process.stdin.once('data', () => { say('closed'); resolve(); });
    }) }));`);
    await said(child, 'ready');
    child.process.kill('SIGTERM');
    await said(child, 'closing');
    child.process.kill('SIGTERM');
    child.process.kill('SIGINT');
    child.process.stdin!.write('go on\n');
    expect(await child.ended).toBe(0);
    expect(child.output()).toBe('ready\nclosing\nclosed\n');
  });

  it('while it starts closes what has started', async () => {
    const child = start(`run(() => new Promise((resolve) => {
      process.stdin.once('data', () => resolve({ close: async () => say('closed') }));
    }));`);
    await said(child, 'ready');
    child.process.kill('SIGTERM');
    child.process.stdin!.write('go on\n');
    expect(await child.ended).toBe(0);
    expect(child.output()).toBe('ready\nclosed\n');
  });

  it('while its start waits for ever ends soon', async () => {
    const child = start(`run(() => new Promise(() => undefined));`);
    await said(child, 'ready');
    const startMs = performance.now();
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    // Two seconds are 0.2 here, and the twenty that closing may take are two.
    expect(performance.now() - startMs).toBeLessThan(1_500);
  });

  it('by itself, for a reason, ends with the code that it set', async () => {
    const child = start(`${closing} process.exitCode = 1;`);
    await said(child, 'ready');
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(1);
    expect(child.output()).toContain('closed');
  });

  it('and cannot close ends with 1, and says why', async () => {
    const child = start(`run(async () => ({ close: () => Promise.reject(new Error('stuck')) }));`);
    await said(child, 'ready');
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(1);
    expect(child.errors()).toContain('Error: stuck');
  });

  it('and never finishes closing ends with 1 when its time is over', async () => {
    const child = start(`run(async () => ({ close: () => new Promise(() => undefined) }));`);
    await said(child, 'ready');
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(1);
  });
});

describe('a process that fails', () => {
  it('for its configuration says what is wrong, and nothing else', async () => {
    const child = start(
      `run(() => Promise.reject(new ConfigurationError(['A is missing', 'B is missing'])));`,
    );
    expect(await child.ended).toBe(1);
    expect(child.errors()).toBe('The configuration is not usable:\n  - A is missing\n  - B is missing\n');
  });

  it('to start says where', async () => {
    const child = start(`run(() => Promise.reject(new TypeError('broken')));`);
    expect(await child.ended).toBe(1);
    expect(child.errors()).toContain('TypeError: broken');
    expect(child.errors()).toContain('program.ts');
  });

  it.each([
    ['a promise that nobody waits for', `void Promise.reject(new Error('forgotten'));`],
    ['an exception that nobody catches', `setImmediate(() => { throw new Error('forgotten'); });`],
    ['something thrown that is no error', `void Promise.reject('forgotten');`],
  ])('by %s ends with 1, after its last log lines', async (_case, fail) => {
    const child = start(`${closing} createLogger('shop').info('last words'); ${fail}`);
    expect(await child.ended).toBe(1);
    expect(child.errors()).toContain('forgotten');
    expect(child.output()).toContain('"msg":"last words"');
  });
});
