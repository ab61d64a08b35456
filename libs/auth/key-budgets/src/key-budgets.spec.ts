import { callContext, DomainError, keyPrincipal, walletPrincipal, type BusOperation } from '@tollbridge/rpc';
import { KeyBudgets, type KeySpend } from '.';

const keyId = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const context = callContext({ principal: keyPrincipal(keyId, 'wallet') });
const spend: KeySpend = { kind: 'order', reference: 'order-1', valueUsd: '1.5', description: 'An order' };

/** Budgets on a fake bus, with the recorded calls in order. */
function budgets(answer: (name: string) => unknown = () => ({ status: 'reserved' })) {
  const calls: [name: string, input: Record<string, unknown>][] = [];
  const call = async (operation: BusOperation<any, any>, input: Record<string, unknown>): Promise<any> => {
    calls.push([operation.name, input]);
    const given = answer(operation.name);
    if (given instanceof Error) throw given;
    return given;
  };
  return { calls, names: () => calls.map(([name]) => name), spends: new KeyBudgets({ call } as never) };
}

describe('KeyBudgets with a key that has a budget', () => {
  it('reserves the spend before it runs the work', async () => {
    const { spends, calls, names } = budgets();
    const work = jest.fn(async () => names().join());
    expect(await spends.during(context, () => spend, work)).toBe('reserve');
    expect(calls).toEqual([['reserve', { ...spend, keyId, attempt: expect.any(String) }]]);
  });

  it('does not run the work when the reservation is rejected', async () => {
    const rejection = new DomainError('BUDGET_EXCEEDED');
    const { spends, names } = budgets(() => rejection);
    const work = jest.fn();
    await expect(spends.during(context, () => spend, work)).rejects.toBe(rejection);
    expect(work).not.toHaveBeenCalled();
    expect(names()).toEqual(['reserve']);
  });

  it.each([
    ['OUTCOME_UNKNOWN', ['reserve', 'reserve', 'release']],
    ['SERVICE_UNAVAILABLE', ['reserve', 'reserve']],
  ] as const)(
    'returns 503 without running the work when both reservation attempts are unanswered: %s',
    async (code, asked) => {
      const { spends, names } = budgets((name) => (name === 'reserve' ? new DomainError(code) : {}));
      const work = jest.fn();
      await expect(spends.during(context, () => spend, work)).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
      expect(work).not.toHaveBeenCalled();
      expect(names()).toEqual(asked);
    },
  );

  it.each(['OUTCOME_UNKNOWN', 'SERVICE_UNAVAILABLE'] as const)(
    'serves 64 concurrent spends when the first reservation of each spend is unanswered: %s',
    async (code) => {
      let reservations = 0;
      const { spends, calls, names } = budgets(() =>
        reservations++ < 64 ? new DomainError(code) : { status: 'reserved', isUnbounded: true },
      );
      const served = Array.from({ length: 64 }, (_, index) =>
        spends.during(
          context,
          () => ({ ...spend, reference: `order-${index}` }),
          async () => index,
        ),
      );
      expect(await Promise.all(served)).toEqual(served.map((_, index) => index));
      // A second attempt with the same id has no effect if the first one was stored.
      expect(new Set(names())).toEqual(new Set(['reserve']));
      expect(calls).toHaveLength(128);
      expect(new Set(calls.map(([, { attempt }]) => attempt)).size).toBe(64);
    },
  );

  it.each(['SERVICE_UNAVAILABLE', 'UNAUTHORIZED'] as const)(
    'releases a possible reservation when the second attempt fails with %s',
    async (code) => {
      const answers = [new DomainError('OUTCOME_UNKNOWN'), new DomainError(code), {}];
      const { spends, names } = budgets(() => answers.shift());
      const work = jest.fn();
      await expect(spends.during(context, () => spend, work)).rejects.toMatchObject({ code });
      expect(work).not.toHaveBeenCalled();
      expect(names()).toEqual(['reserve', 'reserve', 'release']);
    },
  );

  it.each([
    ['failed without effect', new DomainError('CONFLICT'), ['reserve', 'release']],
    ['has an unknown outcome', new DomainError('OUTCOME_UNKNOWN'), ['reserve']],
    ['threw an error of unknown effect', new Error('what now'), ['reserve']],
  ])(
    'releases the reservation only if the work failed without effect: the work %s',
    async (_name, error, asked) => {
      const { spends, calls, names } = budgets();
      await expect(
        spends.during(
          context,
          () => spend,
          () => Promise.reject(error),
        ),
      ).rejects.toBe(error);
      expect(names()).toEqual(asked);
      const [{ attempt }] = [calls[0]![1]];
      for (const [, input] of calls.slice(1)) expect(input).toEqual({ reference: 'order-1', attempt });
    },
  );

  it('releases the reservation and returns the result when nothing was spent', async () => {
    const { spends, names } = budgets((name) =>
      name === 'release' ? new DomainError('OUTCOME_UNKNOWN') : {},
    );
    const isSpent = (result: string) => result !== 'nothing';
    expect(
      await spends.during(
        context,
        () => spend,
        async () => 'nothing',
        isSpent,
      ),
    ).toBe('nothing');
    expect(names()).toEqual(['reserve', 'release']);
    expect(
      await spends.during(
        context,
        () => spend,
        async () => 'something',
        isSpent,
      ),
    ).toBe('something');
    expect(names()).toEqual(['reserve', 'release', 'reserve']);
  });

  it('removes unprintable characters from the description and limits its length', async () => {
    const { spends, calls } = budgets();
    const description = `Swap\u0000 of ${'\ud83d\ude00'.repeat(200)}`;
    await spends.during(
      context,
      () => ({ ...spend, description }),
      async () => undefined,
    );
    const sent = calls[0]![1]['description'] as string;
    expect(sent.length).toBeLessThanOrEqual(256);
    expect(sent).not.toMatch(/[\p{Control}\p{Surrogate}]/u);
  });
});

/** Ends the wait of spends that are recorded together. */
async function recorded(spends: KeyBudgets): Promise<void> {
  spends.beforeApplicationShutdown();
  await new Promise(setImmediate);
}

describe('KeyBudgets with a key without a budget', () => {
  const unbounded = () => budgets(() => ({ status: 'reserved', isUnbounded: true, limitedKeys: [] }));

  it('reserves only before the first work, and records later spends after their work', async () => {
    const { spends, names } = unbounded();
    await spends.during(
      context,
      () => spend,
      async () => undefined,
    );
    expect(names()).toEqual(['reserve']);
    const order = await spends.during(
      context,
      () => spend,
      async () => names().length,
    );
    expect(order).toBe(1);
    await recorded(spends);
    expect(names()).toEqual(['reserve', 'record']);
  });

  it('records spends that follow one another by one call, of at most a hundred spends', async () => {
    const { spends, calls, names } = unbounded();
    const pay = (reference: string) =>
      spends.during(
        context,
        () => ({ ...spend, reference }),
        async () => undefined,
      );
    for (const reference of ['a', 'b', 'c', 'd']) await pay(reference);
    expect(names()).toEqual(['reserve']);
    while (names().length === 1) await new Promise(setImmediate);
    const recordedBy = (index: number) => calls[index]![1]['spends'] as KeySpend[];
    expect(recordedBy(1).map(({ reference }) => reference)).toEqual(['b', 'c', 'd']);
    for (let times = 0; times < 101; times++) await pay(`order-${times}`);
    expect(recordedBy(2)).toHaveLength(100);
    await recorded(spends);
    expect(recordedBy(3)).toHaveLength(1);
    expect(names()).toEqual(['reserve', 'record', 'record', 'record']);
  });

  it('reserves again before the next work of a key that has limits now', async () => {
    const { spends, names } = budgets((name) =>
      name === 'record' ? { limitedKeys: [keyId] } : { status: 'reserved', isUnbounded: true },
    );
    const pay = () =>
      spends.during(
        context,
        () => spend,
        async () => names().at(-1),
      );
    await pay();
    await pay();
    await recorded(spends);
    expect(await pay()).toBe('reserve');
    expect(names()).toEqual(['reserve', 'record', 'reserve']);
  });

  it('records a spend with an unknown outcome, but no spend without effect', async () => {
    const { spends, names } = unbounded();
    await spends.during(
      context,
      () => spend,
      async () => undefined,
    );
    const fails = (code: 'CONFLICT' | 'OUTCOME_UNKNOWN') =>
      spends
        .during(
          context,
          () => spend,
          () => Promise.reject(new DomainError(code)),
        )
        .catch(() => undefined);
    await fails('CONFLICT');
    await spends.during(
      context,
      () => spend,
      async () => 'nothing',
      (result) => result !== 'nothing',
    );
    expect(names()).toEqual(['reserve']);
    await fails('OUTCOME_UNKNOWN');
    await recorded(spends);
    expect(names()).toEqual(['reserve', 'record']);
  });

  it('records spends one by one when the call is unanswered, retries each, and reserves before the next work', async () => {
    const answers: unknown[] = [
      { status: 'reserved', isUnbounded: true },
      new DomainError('SERVICE_UNAVAILABLE'),
      new DomainError('OUTCOME_UNKNOWN'),
    ];
    const { spends, names } = budgets(() => answers.shift() ?? { status: 'reserved', isUnbounded: true });
    const pay = () =>
      spends.during(
        context,
        () => spend,
        async () => names().length,
      );
    await pay();
    await pay();
    const untilMs = performance.now() + 10_000;
    while (names().length < 4 && performance.now() < untilMs) await new Promise(setImmediate);
    expect(names()).toEqual(['reserve', 'record', 'reserve', 'reserve']);
    expect(await pay()).toBe(5);
  });

  it('keeps a key without a budget cached while its spends are recorded', async () => {
    const { spends, names } = unbounded();
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    try {
      for (const atMs of [1_000, 50_000, 100_000, 150_000]) {
        now.mockReturnValue(atMs);
        await spends.during(
          context,
          () => spend,
          async () => undefined,
        );
        await recorded(spends);
      }
      expect(names()).toEqual(['reserve', 'record', 'record', 'record']);
    } finally {
      now.mockRestore();
    }
  });

  it('caches for a minute that a key has no budget', async () => {
    const { spends, names } = unbounded();
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    try {
      await spends.during(
        context,
        () => spend,
        async () => undefined,
      );
      now.mockReturnValue(61_000);
      expect(
        await spends.during(
          context,
          () => spend,
          async () => names().length,
        ),
      ).toBe(2);
      const other = callContext({
        principal: keyPrincipal('0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6e', 'wallet'),
      });
      expect(
        await spends.during(
          other,
          () => spend,
          async () => names().length,
        ),
      ).toBe(3);
    } finally {
      now.mockRestore();
    }
  });
});

it.each(['public', walletPrincipal('wallet')])(
  'KeyBudgets reserves nothing for a caller without a key: %s',
  async (principal) => {
    const { spends, names } = budgets();
    const unasked = jest.fn(() => spend);
    expect(await spends.during(callContext({ principal }), unasked, async () => 1)).toBe(1);
    expect([names(), unasked.mock.calls]).toEqual([[], []]);
  },
);
