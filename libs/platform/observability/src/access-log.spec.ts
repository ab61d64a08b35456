import { openAccessLog, type AccessEntry } from './access-log';

const entry: AccessEntry = {
  level: 'info',
  requestId: 'req_0123456789ab',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  method: 'GET',
  route: '/api/v1/pay/order/:id',
  status: 200,
  ms: 1.25,
};

const written = (level: string, entries: AccessEntry[]): string[] => {
  const lines: string[] = [];
  const write = openAccessLog('gateway', level, (line) => lines.push(line));
  entries.forEach(write);
  return lines;
};

describe('openAccessLog', () => {
  it('writes one JSON line per request, in the field order of other log lines', () => {
    const [line] = written('info', [entry]);
    expect(line).toMatch(/}\n$/);
    const { level: _level, ...fields } = entry;
    const read = JSON.parse(line!) as Record<string, unknown>;
    expect(read).toEqual({ level: 30, time: expect.any(String), app: 'gateway', ...fields, msg: 'request' });
    expect(Object.keys(read).slice(0, 3)).toEqual(['level', 'time', 'app']);
    expect(Math.abs(Date.parse(read['time'] as string) - Date.now())).toBeLessThan(60_000);
  });

  it('writes the error code and the key, with special characters escaped', () => {
    const [line] = written('info', [{ ...entry, level: 'error', status: 500, code: 'X"Y', key: 'a\\b' }]);
    expect(JSON.parse(line!)).toMatchObject({ level: 50, status: 500, code: 'X"Y', key: 'a\\b' });
  });

  it.each([
    ['debug', 3],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
    ['silent', 0],
  ])('writes at the level %s: %i of three entries', (level, count) => {
    const entries = (['info', 'warn', 'error'] as const).map((each) => ({ ...entry, level: each }));
    expect(written(level, entries)).toHaveLength(count);
  });
});
