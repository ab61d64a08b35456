import { recipes } from './recipes';

/** Returns the effect of `trigger` for a type. */
export const doesOf = (type: string): string =>
  type === 'webhook.test' ? 'sends a test message' : (recipes[type]?.does ?? 'sends the example');
