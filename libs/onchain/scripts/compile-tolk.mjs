import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tolk from '@ton/tolk-js';

export const onchain = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Compiles a contract of ton/contracts. The result depends only on the sources and the compiler.
 * @param {string} entrypointFileName
 */
export async function compileTolk(entrypointFileName) {
  const fsReadCallback = (/** @type {string} */ path) =>
    readFileSync(join(onchain, 'ton/contracts', path), 'utf8');
  const result = await tolk.runTolkCompiler({ entrypointFileName, fsReadCallback });
  if (result.status === 'error') throw new Error(result.message);
  // Fail on warnings, as for solc.
  if (result.stderr) throw new Error(result.stderr);
  return { code: result.codeBoc64, hash: result.codeHashHex.toLowerCase(), version: result.tolkVersion };
}
