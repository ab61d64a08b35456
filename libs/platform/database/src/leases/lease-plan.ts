/** A lease that this process may acquire. The leases of one team are spread evenly over the replicas. */
export interface Candidate {
  name: string;
  team?: string | undefined;
}

/** A row of `leases`. */
export interface LeaseState {
  name: string;
  /** Null while the holder releases the lease, and after the release. */
  holder: string | null;
  isLive: boolean;
}

export interface LeaseSituation {
  /** Id of this process. */
  holder: string;
  rows: readonly LeaseState[];
  candidates: readonly Candidate[];
  /** Number of consecutive rounds that found each lease free. */
  freeRounds: ReadonlyMap<string, number>;
  /** Leases that were acquired beyond the share, because no other replica wanted them. */
  kept: ReadonlySet<string>;
}

export interface LeasePlan {
  take: string[];
  give: string[];
  /** Leases to acquire beyond the share of this process. */
  keep: string[];
}

// A lease that stays free for so many rounds has no other candidate, because the replicas differ in their
// configuration.
const roundsUntilAbandoned = 6;
const memberPrefix = 'member ';

/** Returns the row name of a replica that is a member of a team. */
export const memberName = (team: string, holder: string): string => `${memberPrefix}${team} ${holder}`;
export const isMemberName = (name: string): boolean => name.startsWith(memberPrefix);

/**
 * Plans which leases a process acquires and releases, from all rows of the table. Each replica decides on its
 * own; the rows resolve conflicts.
 */
export function planLeases(situation: LeaseSituation): LeasePlan {
  const live = new Map(situation.rows.filter(({ isLive }) => isLive).map((row) => [row.name, row.holder]));
  const plan: LeasePlan = { take: [], give: [], keep: [] };
  const teams = new Map<string, string[]>();
  for (const { name, team } of situation.candidates)
    if (team !== undefined) teams.set(team, [...(teams.get(team) ?? []), name]);
    else if (!live.has(name)) plan.take.push(name);
  for (const [team, names] of teams) {
    const own = memberName(team, situation.holder);
    if (live.get(own) !== situation.holder) plan.take.push(own);
    planTeam(situation, { team, names: names.sort(), live }, plan);
  }
  return plan;
}

interface Team {
  team: string;
  names: string[];
  live: ReadonlyMap<string, string | null>;
}

function planTeam(situation: LeaseSituation, { team, names, live }: Team, plan: LeasePlan): void {
  const { holder, freeRounds, kept } = situation;
  const counts = new Map([[holder, 0]]);
  for (const [name, member] of live) if (member && name === memberName(team, member)) counts.set(member, 0);
  for (const name of names) {
    const of = live.get(name);
    if (of && counts.has(of)) counts.set(of, counts.get(of)! + 1);
  }
  const share = Math.ceil(names.length / counts.size);
  const others = [...counts].filter(([member]) => member !== holder).map(([, count]) => count);
  const free = names.filter((name) => !live.has(name));
  let mine = counts.get(holder)!;

  const isMoving = names.some((name) => !live.get(name));
  const isUneven = !isMoving && mine - Math.min(mine, ...others) >= 2;
  const surplus = Math.max(mine - share, isUneven ? 1 : 0);
  if (surplus > 0) {
    const movable = names.filter((name) => live.get(name) === holder && !kept.has(name));
    plan.give.push(...movable.slice(-surplus));
    return;
  }
  for (const name of free) {
    const rounds = freeRounds.get(name) ?? 0;
    // Replicas with fewer leases go first. The others acquire the remaining leases in the next round.
    const isTurn = mine < share && (mine <= Math.min(mine, ...others) || rounds > 0);
    if (!isTurn && rounds < roundsUntilAbandoned) continue;
    if (mine >= share) plan.keep.push(name);
    plan.take.push(name);
    mine++;
  }
}
