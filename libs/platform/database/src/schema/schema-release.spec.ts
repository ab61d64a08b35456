import { schemaProblem } from './schema-release';

const needed = { app: 'pay-orders', migrations: ['A1', 'B2'], release: 5 };
const state = (migrations: string[], release?: number) => ({ migrations: new Set(migrations), release });

describe('schemaProblem', () => {
  it('lists the pending migrations and the command that runs them', () => {
    expect(schemaProblem(needed, state(['A1'], 4))).toBe(
      'the schema of pay-orders is older than the app. Pending migrations: B2. ' +
        'Run them first: node apps/pay-orders/dist/migrate.js',
    );
  });

  it('lists every migration for an empty schema', () => {
    expect(schemaProblem(needed, state([]))).toContain('Pending migrations: A1, B2');
  });

  it.each([undefined, 1, 4, 5, 6])('accepts a migrated schema of release %s', (release) => {
    expect(schemaProblem(needed, state(['A1', 'B2', 'C3'], release))).toBeUndefined();
  });

  it('rejects a schema that is newer by two releases', () => {
    expect(schemaProblem(needed, state(['A1', 'B2', 'C3', 'D4'], 7))).toBe(
      'the schema of pay-orders is of release 7, and this app is of release 5. ' +
        'It runs on release 5 and 6 only. Deploy the images of release 6 or 7',
    );
  });
});
