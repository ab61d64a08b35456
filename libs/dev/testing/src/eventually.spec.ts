import { eventually } from './eventually';

it('eventually returns the result of the check when it no longer throws', async () => {
  let tries = 0;
  const check = () => {
    if (++tries < 3) throw new Error('not yet');
    return tries;
  };

  expect(await eventually(check, { everyMs: 1 })).toBe(3);
});

it("eventually rejects with the check's last error and the time limit", async () => {
  let tries = 0;
  const check = () => Promise.reject(new Error(`try ${++tries}`));

  const failure = await eventually(check, { timeoutMs: 200, everyMs: 1 }).catch(
    (error: Error) => error.message,
  );

  expect(failure).toBe(`Timed out after 200 ms: try ${tries}`);
  expect(tries).toBeGreaterThan(1);
});
