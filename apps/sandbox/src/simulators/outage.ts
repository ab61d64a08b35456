export const outageModes = ['up', 'down', 'slow'] as const;
export type OutageMode = (typeof outageModes)[number];

/** Whether a simulator works, returns 503, or never responds. A restart resets it. */
export class Outage {
  mode: OutageMode = 'up';
}
