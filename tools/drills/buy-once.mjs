import { join } from 'node:path';
import { repository } from '../local/directory.mjs';
import { lastLines, runCommand } from '../local/run-command.mjs';

/**
 * A deposit on the chain, a signed payment (HTTP 402) and its receipt, by the example of the guide.
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
