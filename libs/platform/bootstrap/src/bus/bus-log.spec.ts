import type { Logger } from '@tollbridge/observability';
import { logBusStatus } from './bus-log';

function logged(status: string, detail: unknown): unknown[][] {
  const lines: unknown[][] = [];
  const record =
    (level: string) =>
    (fields: unknown, message: string): void =>
      void lines.push([level, message, fields]);
  logBusStatus({ info: record('info'), warn: record('warn') } as unknown as Logger, status, detail);
  return lines;
}

describe('logBusStatus', () => {
  it('logs as a list the servers that a cluster announces', () => {
    const detail = { added: ['10.0.0.2:4222'], deleted: [] };
    expect(logged('update', detail)).toEqual([['info', 'bus status changed', { status: 'update', detail }]]);
  });

  it('logs a warning for a lost connection and for a message that was not sent', () => {
    const error = new Error('CONNECTION_CLOSED');
    expect(logged('disconnect', '10.0.0.1:4222')).toEqual([
      ['warn', 'bus status changed', { status: 'disconnect', detail: '10.0.0.1:4222' }],
    ]);
    expect(logged('unsent', error)).toEqual([
      ['warn', 'bus status changed', { status: 'unsent', err: error }],
    ]);
  });

  it('logs a warning for a server error', () => {
    expect(logged('error', 'AUTHORIZATION_VIOLATION')).toEqual([
      ['warn', 'bus status changed', { status: 'error', detail: 'AUTHORIZATION_VIOLATION' }],
    ]);
  });

  it('logs neither pings nor permission violations, which are logged elsewhere with their subject', () => {
    expect(logged('pingTimer', '1')).toEqual([]);
    expect(logged('error', 'PERMISSIONS_VIOLATION')).toEqual([]);
  });
});
