import { loadConfig } from '@tollbridge/config';
import { periodMsOf, requireRetention, retentionDays, retentionSettings } from './retention-settings';

const load = (env: NodeJS.ProcessEnv) =>
  loadConfig(retentionSettings, { TOLLBRIDGE_ENV: 'production', ...env });
const check = (env: NodeJS.ProcessEnv) => () => requireRetention(load(env));
const dayMs = 86_400_000;

describe('retentionSettings', () => {
  it('keeps the inbox longer than the outbox by default', () => {
    expect(load({})).toMatchObject({ RETENTION: 'on', RETENTION_OUTBOX_DAYS: 90, RETENTION_INBOX_DAYS: 120 });
    expect(check({})).not.toThrow();
  });

  it.each(['13', '-1', '3651', '1.5', 'x'])('rejects RETENTION_OUTBOX_DAYS=%s', (value) => {
    expect(() => load({ RETENTION_OUTBOX_DAYS: value })).toThrow('RETENTION_OUTBOX_DAYS must be');
  });

  it.each([
    ['90', '119'],
    ['0', '120'],
    ['200', '120'],
  ])('rejects an outbox of %s and an inbox of %s days', (outbox, inbox) => {
    expect(check({ RETENTION_OUTBOX_DAYS: outbox, RETENTION_INBOX_DAYS: inbox })).toThrow(
      'RETENTION_INBOX_DAYS must be',
    );
  });

  it.each([
    ['0', '0'],
    ['14', '44'],
    ['14', '0'],
  ])('accepts an outbox of %s and an inbox of %s days', (outbox, inbox) => {
    expect(check({ RETENTION_OUTBOX_DAYS: outbox, RETENTION_INBOX_DAYS: inbox })).not.toThrow();
  });
});

describe('periodMsOf', () => {
  const config = { RETENTION: 'on', RETENTION_OUTBOX_DAYS: 90, RETENTION_X_DAYS: 0 };

  it.each([
    ['RETENTION_OUTBOX_DAYS' as const, 90 * dayMs],
    ['RETENTION_INBOX_DAYS' as const, 120 * dayMs],
    ['RETENTION_X_DAYS' as const, undefined],
    [7, 7 * dayMs],
  ])('maps the days %s to the period %s', (days, expected) => {
    expect(periodMsOf(days, config)).toBe(expected);
  });

  it('returns undefined when pruning is off', () => {
    expect(periodMsOf(7, { ...config, RETENTION: 'off' })).toBeUndefined();
  });

  it('rejects a setting that the app does not declare', () => {
    expect(() => periodMsOf('RETENTION_OTHER_DAYS', config)).toThrow('RETENTION_OTHER_DAYS is not declared');
  });
});

describe('retentionDays', () => {
  it('documents the minimum value', () => {
    expect(retentionDays({ description: 'how long', default: 30, min: 7 }).description).toBe(
      'how long, in days; 0 keeps them for ever, otherwise at least 7',
    );
  });
});
