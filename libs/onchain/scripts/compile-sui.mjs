// Compiles the Move package of sui/ and writes src/generated/tollbridge-pay-sui.ts. With --check it only compares, and
// fails on a difference.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileMovePackage, moveCompilerVersion } from '../sui/move-package.mjs';

const target = 'src/generated/tollbridge-pay-sui.ts';
const path = join(dirname(fileURLToPath(import.meta.url)), '..', target);

async function render() {
  const { modules, dependencies, digest } = await compileMovePackage();
  if (modules.length !== 1) throw new Error(`The package has ${modules.length} modules; one is expected`);
  const framework = dependencies.map((id) => `  '${id}',\n`).join('');
  return [
    '// Written by scripts/compile-sui.mjs from sui/sources/pay.move; do not edit.',
    `export const tollbridgePaySuiCompiler = '${await moveCompilerVersion()}';`,
    '',
    '/** Bytecode of the module `pay`, in base64, with 0x0 as its own address. */',
    `export const tollbridgePaySuiModule =\n  '${modules[0]}';`,
    '',
    '/** Packages that the module is linked with: the Move standard library and the framework of Sui. */',
    `export const tollbridgePaySuiDependencies = [\n${framework}] as const;`,
    '',
    '/** Digest of module and dependencies (Blake2b-256), as Sui computes it. */',
    `export const tollbridgePaySuiDigest =\n  '0x${Buffer.from(digest).toString('hex')}';`,
    '',
  ].join('\n');
}

function currentText() {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const text = await render();
if (currentText() === text) {
  console.log(`${target} is up to date`);
} else if (process.argv.includes('--check')) {
  console.error(`${target} is not what pay.move compiles to; run: node scripts/compile-sui.mjs`);
  process.exitCode = 1;
} else {
  writeFileSync(path, text);
  console.log(`${target} written`);
}
