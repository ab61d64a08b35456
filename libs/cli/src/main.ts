import type { LoadAppConfig } from './doctor/config-readers';
import { processTerminal } from './process-terminal';
import { runTollbridge } from './run';

/** Runs the command line of this process, and sets its exit code. */
export function main(loadAppConfig: LoadAppConfig): void {
  void runTollbridge(process.argv.slice(2), processTerminal(loadAppConfig)).then((code) => {
    process.exitCode = code;
  });
}
