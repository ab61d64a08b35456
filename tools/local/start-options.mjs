import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDirectory } from './directory.mjs';
import { chosenNetworks } from './networks.mjs';
import { argumentMistake, TypingMistake } from './problem.mjs';

export const usage = `Usage: npm start [-- OPTIONS]     PORT=3001 npm start

  --fresh            delete the sandbox's data first
  --processes        one process per app instead of one for all
  --no-payment       do not make the demo payment
  --evm-only         no local networks of TON, Solana, Tron and Sui
                     (SANDBOX_NETWORKS=ton,sui starts some of them)
  --directory DIR    keep data, logs and secrets in DIR instead of .tollbridge
  --help             show this text`;

/**
 * @typedef {{ isFresh: boolean, isOneProcess: boolean, pays: boolean, networks: string[], directory: string, wantsHelp: boolean }} StartOptions
 */

/** @param {string[]} args @returns {StartOptions} */
export function readStartOptions(args) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        fresh: flag,
        processes: flag,
        'no-payment': flag,
        'evm-only': flag,
        help: flag,
        directory: { type: 'string' },
      },
    }));
  } catch (error) {
    throw new TypingMistake(`${argumentMistake(error)}\n\n${usage}`);
  }
  // npm changes to the repository, but a relative folder refers to the folder of the command.
  const typedIn = process.env.INIT_CWD ?? process.cwd();
  return {
    isFresh: values.fresh,
    isOneProcess: !values.processes,
    pays: !values['no-payment'],
    networks: values['evm-only'] ? [] : chosenNetworks(process.env.SANDBOX_NETWORKS),
    directory: values.directory ? resolve(typedIn, values.directory) : defaultDirectory,
    wantsHelp: values.help,
  };
}
