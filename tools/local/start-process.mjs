import { describeError } from './problem.mjs';
import { stopCommands } from './run-command.mjs';
import { onStopSignal } from './signals.mjs';
import { StartCommand } from './start-command.mjs';
import { readStartOptions, usage } from './start-options.mjs';
import { Steps } from './steps.mjs';

/** Runs the process of `npm start` from start to end. @param {string[]} args */
export async function start(args) {
  const options = readStartOptions(args);
  if (options.wantsHelp) return console.log(usage);
  const steps = new Steps();
  steps.print(`\n  Tollbridge, Node.js ${process.versions.node}, data in ${options.directory}\n`);
  const command = new StartCommand(options, steps);
  const life = { isUp: false, isStopping: false };

  const stop = async () => {
    if (life.isStopping) return;
    life.isStopping = true;
    stopCommands();
    steps.print('\n  Stopping; press Ctrl-C again to force it.');
    await command.stop();
    steps.print('  Stopped. The next npm start goes on with the same data.\n');
    process.exit(life.isUp ? 0 : 130);
  };
  const force = () => {
    command.kill();
    console.error('\n  Stopped by force.\n');
    process.exit(130);
  };
  const fail = async (/** @type {unknown} */ error) => {
    // A stop makes interrupted steps fail, so these errors are not reported.
    if (life.isStopping) return;
    life.isStopping = true;
    console.error(`\n  ${describeError(error)}\n`);
    stopCommands();
    await command.stop().catch(() => command.kill());
    process.exit(1);
  };
  onStopSignal(() => void stop().catch(force), force);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);

  try {
    await command.run();
    life.isUp = true;
  } catch (error) {
    await fail(error);
  }
}
