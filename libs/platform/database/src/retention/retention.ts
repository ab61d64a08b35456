/** Setting with the number of days that rows are kept, such as `RETENTION_OUTBOX_DAYS`. 0 keeps them for ever. */
export type PeriodSetting = `RETENTION_${string}_DAYS`;

/** Rows are kept for ever. */
export interface Keep {
  kind: 'keep';
  reason: string;
}

/** The code of a feature deletes or replaces the rows, instead of the pruner. */
export interface Swept {
  kind: 'swept';
  /** Name of the class that deletes the rows. */
  by: string;
  rule: string;
}

interface Due {
  /** Setting with the period, or the fixed number of days. */
  days: PeriodSetting | number;
  /** Column with the time that starts the period. */
  column: string;
  /** Whether the column contains Unix seconds. */
  isUnixSeconds?: boolean;
  /** Describes the pruned rows, and why they are not needed later. Used in the documentation. */
  rule: string;
}

/** Visits all rows along a key that grows with time, and deletes due rows. Needs no index of its own. */
export interface Walk extends Due {
  kind: 'walk';
  key: string;
  keyType: 'bigint' | 'uuid' | 'text';
  /** SQL condition on `t` for due rows, in addition to their age. */
  where?: string;
  /**
   * SQL assignments that overwrite columns instead of deleting the row. `where` must exclude rows that are
   * already overwritten.
   */
  set?: string;
}

/** Deletes from the low end of an index, where all rows are due. */
export interface Range extends Due {
  kind: 'range';
  /** Column of the index. */
  orderBy: string;
  /** First column of that index, when it has few values. */
  groupBy?: string;
  /** Whether `orderBy` is a UUID of version 7, which begins with its time. */
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
 * Declares how long the rows of an entity are kept. Every entity needs a policy: `schema.int.spec.ts` of each
 * app fails otherwise.
 */
export const Retention =
  (policy: RetentionPolicy): ClassDecorator =>
  (entity) =>
    void policies.set(entity, policy);

/** Returns the policy of an entity, or undefined without one. Inherited policies are ignored. */
export const retentionOf = (entity: unknown): RetentionPolicy | undefined =>
  typeof entity === 'function' ? policies.get(entity) : undefined;

export const isPruning = (policy: RetentionPolicy): policy is Pruning =>
  policy.kind === 'walk' || policy.kind === 'range';

/** Returns the names of the entities without a policy. */
export function entitiesWithoutPolicy(entities: readonly unknown[]): string[] {
  return entities
    .filter((entity) => !retentionOf(entity))
    .map((entity) => (typeof entity === 'function' ? entity.name : String(entity)));
}

/** Returns the settings that the policies of these entities need. */
export function periodSettingsOf(entities: readonly unknown[]): PeriodSetting[] {
  const names = entities.flatMap((entity) => {
    const policy = retentionOf(entity);
    return policy && isPruning(policy) && typeof policy.days === 'string' ? [policy.days] : [];
  });
  return [...new Set(names)].sort();
}
