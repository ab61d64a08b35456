import { databaseEntities, type PlatformTables } from './database-entities';

const namesOf = async (tables?: PlatformTables): Promise<string[]> =>
  (await databaseEntities(tables)).map((entity) => (entity as { name: string }).name).sort();

const outbox = ['InboxRow', 'LeaseRow', 'OutboxQueueRow', 'OutboxRow', 'OutboxStreamRow'];

describe('databaseEntities', () => {
  it('lists the tables of an app with an outbox', async () => {
    expect(await namesOf()).toEqual([
      'DeadLetterRow',
      'IdempotencyKeyRow',
      ...outbox,
      'RetentionProgressRow',
    ]);
  });

  it('lists dead letters with retries for a schema that has them', async () => {
    expect(await namesOf({ hasDeadLetterRetries: true })).toEqual([
      'IdempotencyKeyRow',
      ...outbox,
      'RetentionProgressRow',
      'RetriedDeadLetterRow',
    ]);
  });

  it('lists the audit log for a schema that has it', async () => {
    expect(await namesOf({ hasAuditLog: true })).toContain('OperatorActionRow');
  });

  it('lists only idempotency keys for a schema without an outbox', async () => {
    expect(await namesOf({ hasOutbox: false })).toEqual(['IdempotencyKeyRow', 'LeaseRow']);
  });
});

describe('the library', () => {
  it('does not load TypeORM until a database is opened', () => {
    jest.isolateModules(() => {
      jest.doMock('typeorm', () => {
        throw new Error('TypeORM was loaded');
      });
      expect(() => jest.requireActual('../index')).not.toThrow();
    });
    jest.dontMock('typeorm');
  });
});
