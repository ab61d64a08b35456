import { createLogger, NestLogger } from './logger';

describe('NestLogger', () => {
  it('writes to the logger of the app, maps log to debug, and verbose to trace', () => {
    const logger = createLogger('shop', 'silent');
    const lines: unknown[][] = [];
    for (const level of ['trace', 'debug', 'warn', 'error'] as const)
      jest.spyOn(logger, level).mockImplementation((...line: unknown[]) => void lines.push([level, ...line]));
    const nest = new NestLogger(logger);
    nest.log('started', 'Context');
    nest.warn('careful', 'Context');
    nest.error(new Error('broken'), 'stack', 'Context');
    nest.debug('detail', 'Context');
    nest.verbose('more', 'Context');
    expect(lines).toEqual([
      ['debug', { context: 'Context' }, 'started'],
      ['warn', { context: 'Context' }, 'careful'],
      ['error', { context: 'Context', stack: 'stack' }, 'Error: broken'],
      ['trace', { context: 'Context' }, 'detail'],
      ['trace', { context: 'Context' }, 'more'],
    ]);
  });
});
