import { memberName, planLeases, type Candidate, type LeaseState } from './lease-plan';

const [me, other, third] = ['a', 'b', 'c'];
const chains = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, index) => ({ name: `chain ${index}`, team: 'chains' }));
const held = (name: string, holder: string | null, isLive = true): LeaseState => ({ name, holder, isLive });
const members = (...holders: string[]): LeaseState[] =>
  holders.map((holder) => held(memberName('chains', holder), holder));
const chainsOf = (holder: string | null, ...numbers: number[]): LeaseState[] =>
  numbers.map((number) => held(`chain ${number}`, holder));

function plan(
  rows: LeaseState[],
  candidates: Candidate[],
  freeRounds: [string, number][] = [],
  kept: string[] = [],
) {
  return planLeases({ holder: me, rows, candidates, freeRounds: new Map(freeRounds), kept: new Set(kept) });
}

describe('planLeases for work of one replica', () => {
  it('acquires free and expired leases, and leaves the leases of other replicas', () => {
    const candidates = ['free', 'expired', 'taken', 'own'].map((name) => ({ name }));
    const rows = [held('expired', other, false), held('taken', other), held('own', me)];
    expect(plan(rows, candidates)).toEqual({ take: ['free', 'expired'], give: [], keep: [] });
  });
});

describe('planLeases for a team', () => {
  it('acquires every lease while it is the only replica', () => {
    expect(plan([], chains(3)).take).toEqual([memberName('chains', me), 'chain 0', 'chain 1', 'chain 2']);
  });

  it('acquires no more than the share of a replica', () => {
    expect(plan(members(me, other), chains(5)).take).toEqual(['chain 0']);
    const rows = [...members(me, other), ...chainsOf(other, 0, 1, 2)];
    expect(plan(rows, chains(5)).take).toEqual(['chain 3', 'chain 4']);
  });

  it('leaves free leases for one round to the replica that holds fewer', () => {
    const rows = [...members(me, other, third), ...chainsOf(me, 0), ...chainsOf(other, 1)];
    expect(plan(rows, chains(4)).take).toEqual([]);
    expect(
      plan(rows, chains(4), [
        ['chain 2', 1],
        ['chain 3', 1],
      ]).take,
    ).toEqual(['chain 2']);
  });

  it('releases leases above its share when a replica joins', () => {
    const rows = [...members(me, other), ...chainsOf(me, 0, 1, 2, 3)];
    expect(plan(rows, chains(4)).give).toEqual(['chain 2', 'chain 3']);
  });

  it('releases one lease for a replica that holds two fewer', () => {
    const rows = [...members(me, other, third), ...chainsOf(me, 0, 1), ...chainsOf(other, 2, 3)];
    expect(plan(rows, chains(4)).give).toEqual(['chain 1']);
  });

  it('releases no further lease while another one changes its holder', () => {
    const rows = [...members(me, other), ...chainsOf(me, 0, 1), ...chainsOf(null, 2, 3)];
    expect(plan(rows, chains(4))).toEqual({ take: [], give: [], keep: [] });
  });

  it('acquires the leases of a replica that died', () => {
    const rows = [
      ...members(me),
      held(memberName('chains', other), other, false),
      ...chainsOf(me, 0, 1),
      held('chain 2', other, false),
      held('chain 3', other, false),
    ];
    expect(plan(rows, chains(4)).take).toEqual(['chain 2', 'chain 3']);
  });

  it('acquires and keeps a lease without another candidate', () => {
    const rows = [...members(me, other), ...chainsOf(me, 0, 1)];
    expect(plan(rows, chains(3), [['chain 2', 5]]).take).toEqual([]);
    expect(plan(rows, chains(3), [['chain 2', 6]])).toEqual({
      take: ['chain 2'],
      give: [],
      keep: ['chain 2'],
    });
    const all = [...members(me, other), ...chainsOf(me, 0, 1, 2)];
    expect(plan(all, chains(3), [], ['chain 0', 'chain 1', 'chain 2']).give).toEqual([]);
  });

  it('reaches an even distribution when one replica holds all leases at the start', () => {
    for (let replicas = 1; replicas <= 5; replicas++)
      for (let count = 1; count <= 9; count++) expect(simulate(replicas, count)).toBe(true);
  });
});

/** Simulates replicas that act in turn on the rows of the table. At the start the first replica holds all leases. */
function simulate(replicas: number, count: number): boolean {
  const holders = Array.from({ length: replicas }, (_, index) => `replica ${index}`);
  const rows = new Map<string, string | null>();
  const free = holders.map(() => new Map<string, number>());
  for (const { name } of chains(count)) rows.set(name, holders[0]!);
  for (let round = 0; round < 30; round++)
    for (const [index, holder] of holders.entries()) {
      const states = [...rows].map(([name, of]) => held(name, of, of !== null));
      const situation = {
        holder,
        rows: states,
        candidates: chains(count),
        freeRounds: free[index]!,
        kept: new Set<string>(),
      };
      const { take, give } = planLeases(situation);
      free[index] = new Map(
        chains(count).flatMap(({ name }) =>
          rows.get(name) ? [] : [[name, (free[index]!.get(name) ?? 0) + 1]],
        ),
      );
      for (const name of give) rows.set(name, null);
      for (const name of take) rows.set(name, rows.get(name) ?? holder);
    }
  const counts = holders.map(
    (holder) => chains(count).filter(({ name }) => rows.get(name) === holder).length,
  );
  return Math.max(...counts) - Math.min(...counts) <= 1 && counts.reduce((sum, each) => sum + each) === count;
}
