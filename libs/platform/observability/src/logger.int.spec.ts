import { runProgram } from '@tollbridge/testing';

const linesOf = (output: string): Record<string, unknown>[] =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const run = async (body: string, env: NodeJS.ProcessEnv = {}) => {
  const child = runProgram(`import * as observability from '@tollbridge/observability';\n${body}`, env);
  const code = await child.ended;
  return { code, lines: linesOf(child.output()), errors: child.errors() };
};

describe('createLogger', () => {
  it('writes JSON lines with the time and the app, without secrets', async () => {
    const { lines, errors } = await run(`
      const logger = observability.createLogger('shop');
      logger.info({ requestId: 'request-1', login: { user: 'me', password: 'hunter2' } }, 'hello');
      logger.child({ apiKey: 'hunter2', chain: 'base' }).warn({ err: new TypeError('no') }, 'failed');
      logger.error(new RangeError('alone'));
    `);
    expect(errors).toBe('');
    expect(lines).toEqual([
      {
        level: 30,
        app: 'shop',
        msg: 'hello',
        requestId: 'request-1',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        login: { user: 'me', password: '[redacted]' },
      },
      expect.objectContaining({
        level: 40,
        app: 'shop',
        msg: 'failed',
        apiKey: '[redacted]',
        chain: 'base',
        err: { type: 'TypeError', message: 'no', stack: expect.any(String) },
      }),
      expect.objectContaining({
        level: 50,
        msg: 'alone',
        err: expect.objectContaining({ type: 'RangeError' }),
      }),
    ]);
  });

  it('redacts card numbers in every part of a line', async () => {
    const { lines } = await run(`
      const logger = observability.createLogger('shop');
      const card = '4111111111111111';
      logger.info('the card ' + card);
      logger.info({ a: { b: card } }, 'and %s and %d', card, 7);
      logger.child({ of: card }).warn(new Error(card));
      logger.error({ err: new Error('x', { cause: new Error(card) }), amountAtomic: card });
    `);
    expect(lines).toHaveLength(4);
    expect(lines.slice(0, 3).map(({ msg }) => msg)).toEqual([
      'the card [card number]',
      'and [card number] and 7',
      '[card number]',
    ]);
    const [last] = lines.splice(3);
    expect(last).toMatchObject({ amountAtomic: '4111111111111111' });
    const { amountAtomic: _amount, ...others } = last!;
    expect(JSON.stringify([...lines, others])).not.toContain('4111111111111111');
  });

  it('writes all buffered lines on flushLogs', async () => {
    const { lines } = await run(`
      const logger = observability.createLogger('shop');
      for (let line = 0; line < 1000; line++) logger.info({ line }, 'last words');
      observability.flushLogs();
      process.kill(process.pid, 'SIGKILL');
    `);
    expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: 1_000 }, (_, line) => line));
  });

  it('writes a single line within a short time', async () => {
    const child = runProgram(`
      import { createLogger } from '@tollbridge/observability';
      createLogger('shop').info('alone');
      setInterval(() => undefined, 1000);
    `);
    await new Promise<void>((resolve) => child.process.stdout!.once('data', () => resolve()));
    expect(linesOf(child.output())).toMatchObject([{ msg: 'alone' }]);
    child.process.kill('SIGKILL');
    await child.ended;
  });

  it('writes lines of LOG_LEVEL and above', async () => {
    const body = `
      const logger = observability.createLogger('shop');
      logger.debug('quiet'); logger.warn('loud');`;
    expect((await run(body)).lines.map(({ msg }) => msg)).toEqual(['loud']);
    expect((await run(body, { LOG_LEVEL: 'debug' })).lines.map(({ msg }) => msg)).toEqual(['quiet', 'loud']);
    expect((await run(body, { LOG_LEVEL: 'error' })).lines).toEqual([]);
  });

  it('uses limited memory while its output is not read', async () => {
    const child = runProgram(`
      import { createLogger } from '@tollbridge/observability';
      const logger = createLogger('shop');
      const text = 'x'.repeat(1000);
      let line = 0;
      const write = (): void => {
        for (let more = 0; more < 1000; more++) logger.info({ line: line++, text });
        if (line < 200_000) setImmediate(write);
        else process.stderr.write(String(process.memoryUsage().rss), () => process.kill(process.pid, 'SIGKILL'));
      };
      write();
    `);
    child.process.stdout!.pause();
    await child.ended;
    // The child process has written 200 MB of lines.
    expect(Number(child.errors())).toBeLessThan(190_000_000);
  });
});
