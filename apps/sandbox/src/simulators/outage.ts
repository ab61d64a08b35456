export const outageModes = ['up', 'down', 'slow'] as const;
export type OutageMode = (typeof outageModes)[number];

/** Whether a simulator works, answers 503, or does not answer at all. Up again after a restart. */
export class Outage {
  mode: OutageMode = 'up';
}
