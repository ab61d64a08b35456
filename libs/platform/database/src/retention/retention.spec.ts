import {
  entitiesWithoutPolicy,
  isPruning,
  keep,
  periodSettingsOf,
  pruneAlong,
  pruneBelow,
  Retention,
  retentionOf,
  swept,
} from './retention';

@Retention(keep('a money record'))
class Kept {}
@Retention(swept({ by: 'Sweep', rule: 'at once' }))
class Swept {}
@Retention(
  pruneAlong({ days: 'RETENTION_B_DAYS', column: 'at', key: 'id', keyType: 'uuid', rule: 'old rows' }),
)
class Walked {}
@Retention(pruneBelow({ days: 7, column: 'at', orderBy: 'at', rule: 'old rows' }))
class Fixed {}
class Undeclared {}
class Inherited extends Kept {}

describe('a retention policy', () => {
  it('belongs to the class of the entity', () => {
    expect(retentionOf(Kept)).toEqual({ kind: 'keep', reason: 'a money record' });
    expect(retentionOf('Kept')).toBeUndefined();
  });

  it('requires a declaration by each entity, not only by its parent class', () => {
    expect(entitiesWithoutPolicy([Kept, Swept, Walked, Fixed, Undeclared, Inherited])).toEqual([
      'Undeclared',
      'Inherited',
    ]);
  });

  it('lists each setting for its period once', () => {
    expect(periodSettingsOf([Kept, Swept, Walked, Fixed, Walked])).toEqual(['RETENTION_B_DAYS']);
  });

  it.each([
    [Kept, false],
    [Swept, false],
    [Walked, true],
    [Fixed, true],
  ])('marks the tables of the pruner: %p', (entity, expected) => {
    expect(isPruning(retentionOf(entity)!)).toBe(expected);
  });
});
