import { Pace, PaceExceeded } from './pace';

jest.mock('node:timers/promises', () => ({ ...jest.requireActual('node:timers/promises') }));
const timers = jest.requireMock<typeof import('node:timers/promises')>('node:timers/promises');

async function waitOf(pace: Pace): Promise<number> {
  jest.useFakeTimers({ advanceTimers: true });
  try {
    const begun = Date.now();
    await pace.turn();
    return Math.round((Date.now() - begun) / 10) * 10;
  } finally {
    jest.useRealTimers();
  }
}

it('Pace admits the requests of one second immediately, and the next one a second after the first', async () => {
  const nowMs = 5_000;
  const pace = new Pace(4, () => nowMs);
  for (let count = 0; count < 4; count++) expect(await waitOf(pace)).toBe(0);
  const begunMs = performance.now();
  await Promise.all([pace.turn(), pace.turn()]);
  expect(performance.now() - begunMs).toBeGreaterThanOrEqual(1_090);
});

it('Pace never exceeds its rate in any second', async () => {
  let nowMs = 0;
  const pace = new Pace(3, () => nowMs);
  const startsMs: number[] = [];
  const turns: Promise<unknown>[] = [];
  for (let count = 0; count < 12; count++) {
    const begunMs = nowMs;
    const pause = jest.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    turns.push(pace.turn());
    startsMs.push(begunMs + (pause.mock.calls[0]?.[0] ?? 0));
    pause.mockRestore();
    nowMs += 90;
  }
  await Promise.all(turns);
  startsMs.sort((one, other) => one - other);
  for (let at = 3; at < startsMs.length; at++)
    expect(startsMs[at]! - startsMs[at - 3]!).toBeGreaterThanOrEqual(1_000);
});

it('Pace rejects a wait of more than ten seconds immediately', async () => {
  const pace = new Pace(1, () => 0);
  const signal = AbortSignal.timeout(50);
  const turns = Array.from({ length: 12 }, () =>
    pace.turn(signal).then(
      () => 'now',
      (error: Error) => error.name,
    ),
  );
  await expect(pace.turn()).rejects.toBeInstanceOf(PaceExceeded);
  expect(await Promise.all(turns)).toEqual(['now', ...Array<string>(9).fill('AbortError'), 'Error', 'Error']);
});

it('Pace recovers after a pause', async () => {
  let nowMs = 0;
  const pace = new Pace(2, () => nowMs);
  await Promise.all([pace.turn(), pace.turn()]);
  nowMs = 10_000;
  const begunMs = performance.now();
  await Promise.all([pace.turn(), pace.turn()]);
  expect(performance.now() - begunMs).toBeLessThan(400);
});
