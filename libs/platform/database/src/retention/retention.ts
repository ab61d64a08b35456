/** Setting with the days that rows stay, such as `RETENTION_OUTBOX_DAYS`. With 0 they stay for ever. */
export type PeriodSetting = `RETENTION_${string}_DAYS`;

/** Rows stay for ever. */
export interface Keep {
  kind: 'keep';
  reason: string;
}

/** Code of the feature deletes the rows, or replaces them; the pruner does not. */
export interface Swept {
  kind: 'swept';
  /** Class that does it. */
  by: string;
  rule: string;
}

interface Due {
  /** Setting with the period, or the fixed number of days. */
  days: PeriodSetting | number;
  /** Column with the time that the period starts at. */
  column: string;
  /** The column holds Unix seconds. */
  isUnixSeconds?: boolean;
  /** Which rows, and why they are not needed later. For the documentation. */
  rule: string;
}

/** Visits all rows along a key that grows with time, and deletes those that are due. Needs no index of its own. */
export interface Walk extends Due {
  kind: 'walk';
  key: string;
  keyType: 'bigint' | 'uuid' | 'text';
  /** SQL condition on `t`, which the row must meet beside its age. */
  where?: string;
  /** SQL assignments: the row stays, and these columns are overwritten. `where` must exclude rows that have it. */
  set?: string;
}

/** Deletes from the low end of an index: all its rows below the horizon are due. */
export interface Range extends Due {
  kind: 'range';
  /** Column of the index. */
  orderBy: string;
  /** First column of that index, when it has few values. */
  groupBy?: string;
  /** `orderBy` is a UUID of version 7, which begins with its time. */
  isUuidV7?: boolean;
}

export type RetentionPolicy = Keep | Swept | Walk | Range;
export type Pruning = Walk | Range;

export const keep = (reason: string): Keep => ({ kind: 'keep', reason });
export const swept = (policy: Omit<Swept, 'kind'>): Swept => ({ kind: 'swept', ...policy });
export const pruneAlong = (policy: Omit<Walk, 'kind'>): Walk => ({ kind: 'walk', ...policy });
export const pruneBelow = (policy: Omit<Range, 'kind'>): Range => ({ kind: 'range', ...policy });

const policies = new WeakMap<object, RetentionPolicy>();

/**
 * Declares how long the rows of an entity stay. Every entity has one: `schema.int.spec.ts` of each app fails otherwise.
 */
export const Retention =
  (policy: RetentionPolicy): ClassDecorator =>
  (entity) =>
    void policies.set(entity, policy);

/** The policy of an entity; undefined when none is declared. An inherited one does not count. */
export const retentionOf = (entity: unknown): RetentionPolicy | undefined =>
  typeof entity === 'function' ? policies.get(entity) : undefined;

export const isPruning = (policy: RetentionPolicy): policy is Pruning =>
  policy.kind === 'walk' || policy.kind === 'range';

/** Names of the entities that declare no policy. */
export function entitiesWithoutPolicy(entities: readonly unknown[]): string[] {
  return entities
    .filter((entity) => !retentionOf(entity))
    .map((entity) => (typeof entity === 'function' ? entity.name : String(entity)));
}

/** Settings that the policies of these entities need. */
export function periodSettingsOf(entities: readonly unknown[]): PeriodSetting[] {
  const names = entities.flatMap((entity) => {
    const policy = retentionOf(entity);
    return policy && isPruning(policy) && typeof policy.days === 'string' ? [policy.days] : [];
  });
  return [...new Set(names)].sort();
}
