/** Where a process runs: everything local, public test networks, or main networks with real money. */
export const environments = ['sandbox', 'test', 'production'] as const;
export type Environment = (typeof environments)[number];
