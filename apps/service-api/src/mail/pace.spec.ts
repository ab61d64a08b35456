import { Pace, PaceExceeded } from './pace';

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

it("lets a second's worth pass at once, and then evenly", async () => {
  const nowMs = 5_000;
  const pace = new Pace(4, () => nowMs);
  for (let count = 0; count < 4; count++) expect(await waitOf(pace)).toBe(0);
  const begunMs = performance.now();
  await pace.turn();
  expect(performance.now() - begunMs).toBeGreaterThanOrEqual(240);
});

it('refuses at once who would wait for more than ten seconds, and costs the others nothing', async () => {
  const pace = new Pace(1, () => 0);
  const signal = AbortSignal.timeout(50);
  const turns = Array.from({ length: 12 }, () =>
    pace.turn(signal).then(
      () => 'now',
      (error: Error) => error.name,
    ),
  );
  await expect(pace.turn()).rejects.toBeInstanceOf(PaceExceeded);
  expect(await Promise.all(turns)).toEqual(['now', ...Array<string>(10).fill('AbortError'), 'Error']);
});

it('has its pace again after a pause', async () => {
  let nowMs = 0;
  const pace = new Pace(2, () => nowMs);
  await Promise.all([pace.turn(), pace.turn()]);
  nowMs = 10_000;
  const begunMs = performance.now();
  await Promise.all([pace.turn(), pace.turn()]);
  expect(performance.now() - begunMs).toBeLessThan(200);
});
