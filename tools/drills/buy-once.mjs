import { join } from 'node:path';
import { repository } from '../local/directory.mjs';
import { lastLines, runCommand } from '../local/run-command.mjs';

/**
 * Makes a deposit on the chain and a signed payment (HTTP 402), and verifies its receipt, with the example of the
 * guide.
 * @param {string} gateway
 */
export async function buyOnce(gateway) {
  const env = { ...process.env, TOLLBRIDGE_URL: gateway };
  const { code, output } = await runCommand(process.execPath, [join(repository, 'examples/buy.mjs')], {
    env,
  });
  if (code !== 0 || !output.startsWith('200 '))
    throw new Error(`examples/buy.mjs failed:\n${lastLines(output)}`);
}
