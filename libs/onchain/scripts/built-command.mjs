import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Runs a command of the built library. Prints an error as one line and exits with code 1.
 * @param {string} path of its module in dist
 * @param {(module: any) => Promise<unknown>} run
 */
export async function runBuiltCommand(path, run) {
  try {
    await run(require(`../dist/${path}`));
  } catch (error) {
    const notBuilt = error.code === 'MODULE_NOT_FOUND';
    console.error(notBuilt ? 'Build the library first: npx nx build onchain' : error.message);
    process.exitCode = 1;
  }
}
