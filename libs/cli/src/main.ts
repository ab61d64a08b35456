import { processTerminal } from './process-terminal';
import { runTollbridge } from './run';

void runTollbridge(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
});
