import type { Logger } from '@tollbridge/observability';
import { Connections } from './connections';

const logger = { error: jest.fn() } as unknown as Logger;

describe('Connections', () => {
  it('closes clients before their connections regardless of the order of opening', async () => {
    const closed: string[] = [];
    const connections = new Connections(logger);
    for (const name of ['database', 'bus', 'clock', 'busClient', 'leases'] as const)
      connections.add(name, () => void closed.push(name));
    await connections.closeAll();
    await connections.closeAll();
    expect(closed).toEqual(['leases', 'busClient', 'bus', 'clock', 'database']);
  });

  it('closes a connection immediately that is opened after a failed start', async () => {
    const connections = new Connections(logger);
    await connections.closeAll();
    const close = jest.fn();
    connections.add('bus', close);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('leaves a connection that does not close in time, and closes the others', async () => {
    jest.useFakeTimers();
    const close = jest.fn();
    const connections = new Connections(logger);
    connections.add('bus', () => new Promise(() => undefined));
    connections.add('database', close);
    const closing = connections.closeAll();
    await jest.advanceTimersByTimeAsync(5_000);
    await closing;
    jest.useRealTimers();
    expect(close).toHaveBeenCalledTimes(1);
    expect(logger.error).toHaveBeenCalledWith({ connection: 'bus' }, expect.stringContaining('still in use'));
  });
});
