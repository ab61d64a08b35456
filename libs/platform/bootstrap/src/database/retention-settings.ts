import { choice, ConfigurationError, integer, UnusableValue, type Setting } from '@tollbridge/config';
import type { PeriodSetting } from '@tollbridge/database';

const dayMs = 24 * 3_600_000;
const mostDays = 3_650;

/** A setting for the number of days that rows are kept. 0 keeps them for ever. Other values must be at least `min`. */
export function retentionDays(options: {
  description: string;
  default: number;
  min: number;
}): Setting<number> {
  const { min } = options;
  const days = integer({
    description: `${options.description}, in days; 0 keeps them for ever, otherwise at least ${min}`,
    example: String(options.default),
    default: options.default,
    min: 0,
    max: mostDays,
  });
  return {
    ...days,
    accepts: `0, or ${min} to ${mostDays}`,
    read(value) {
      const count = days.read(value);
      if (count !== 0 && count < min) throw new UnusableValue(`must be 0 or at least ${min}`);
      return count;
    },
  };
}

// An event may be redelivered as long as its outbox row or its message in the stream exists.
const inboxMarginDays = 30;

/** Retention settings of every app with a database. All apps must use the same values. */
export const retentionSettings = {
  RETENTION: choice(['on', 'off'], {
    description: 'off: this process prunes no table. Tables grow until a process prunes them',
    example: 'on',
    default: 'on',
  }),
  RETENTION_OUTBOX_DAYS: retentionDays({
    description: 'how long published events stay in the outbox, the source to refill a lost stream',
    default: 90,
    min: 14,
  }),
  RETENTION_INBOX_DAYS: retentionDays({
    description: `how long a consumer remembers the events that it has handled; ${inboxMarginDays} days more than RETENTION_OUTBOX_DAYS at least`,
    default: 120,
    min: 14 + inboxMarginDays,
  }),
};

/** @throws ConfigurationError when a refilled stream could repeat an event after its inbox row was deleted */
export function requireRetention(config: Readonly<Record<string, unknown>>): void {
  const outboxDays = daysOf('RETENTION_OUTBOX_DAYS', config);
  const inboxDays = daysOf('RETENTION_INBOX_DAYS', config);
  if (inboxDays === 0 || (outboxDays !== 0 && inboxDays >= outboxDays + inboxMarginDays)) return;
  const least =
    outboxDays === 0 ? '0, as RETENTION_OUTBOX_DAYS is' : `0 or at least ${outboxDays + inboxMarginDays}`;
  throw new ConfigurationError([
    `RETENTION_INBOX_DAYS must be ${least}: ${inboxMarginDays} days more than RETENTION_OUTBOX_DAYS, or a refilled stream repeats effects`,
  ]);
}

/** Returns the period of a policy, or undefined when its rows are kept for ever or pruning is off. */
export function periodMsOf(
  days: PeriodSetting | number,
  config: Readonly<Record<string, unknown>>,
): number | undefined {
  if (config['RETENTION'] === 'off') return undefined;
  const count = typeof days === 'number' ? days : daysOf(days, config);
  return count === 0 ? undefined : count * dayMs;
}

function daysOf(name: PeriodSetting, config: Readonly<Record<string, unknown>>): number {
  const shared: Readonly<Record<string, Setting<unknown>>> = retentionSettings;
  const days = config[name] ?? shared[name]?.default;
  // A policy would never be applied if the app did not declare its setting.
  if (typeof days !== 'number') throw new ConfigurationError([`${name} is not declared by this app`]);
  return days;
}
