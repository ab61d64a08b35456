/**
 * Environment of a process. `sandbox`: only local servers. `test`: public test networks. `production`: main
 * networks with real money.
 */
export const environments = ['sandbox', 'test', 'production'] as const;
export type Environment = (typeof environments)[number];
