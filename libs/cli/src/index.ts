export { commands } from './command-list';
export { globalFlags, type CommandInfo } from './command';
export { exitCodes } from './exit-codes';
export { doesOf } from './trigger/does';
export { runTollbridge } from './run';
export type { Terminal } from './terminal';
