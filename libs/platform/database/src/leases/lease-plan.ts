/** A lease that this process may hold. Those of one team are spread evenly over the replicas. */
export interface Candidate {
  name: string;
  team?: string | undefined;
}

/** A row of `leases`. */
export interface LeaseState {
  name: string;
  /** Null for a lease that its holder gives up, and after its release. */
  holder: string | null;
  isLive: boolean;
}

export interface LeaseSituation {
  /** This process. */
  holder: string;
  rows: readonly LeaseState[];
  candidates: readonly Candidate[];
  /** For how many rounds in a row this process has found a lease free. */
  freeRounds: ReadonlyMap<string, number>;
  /** Leases taken beyond the share, which no other replica wanted. */
  kept: ReadonlySet<string>;
}

export interface LeasePlan {
  take: string[];
  give: string[];
  /** Leases taken beyond the share of this process. */
  keep: string[];
}

// A lease that stays free for so many rounds has no other candidate: the replicas differ in their configuration.
const roundsUntilAbandoned = 6;
const memberPrefix = 'member ';

/** The row of a replica that takes part in a team. */
export const memberName = (team: string, holder: string): string => `${memberPrefix}${team} ${holder}`;
export const isMemberName = (name: string): boolean => name.startsWith(memberPrefix);

/**
 * What a process takes and gives up after it has read all leases. Each replica decides by itself; rows settle
 * conflicts.
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
    // Replicas with fewer leases go first; the others take what is left in the next round.
    const isTurn = mine < share && (mine <= Math.min(mine, ...others) || rounds > 0);
    if (!isTurn && rounds < roundsUntilAbandoned) continue;
    if (mine >= share) plan.keep.push(name);
    plan.take.push(name);
    mine++;
  }
}
