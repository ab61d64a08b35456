// Compiles the Solana program and writes src/generated/solana-pay.ts. With --check it only compares, and fails on a
// difference. Installs the compiler if the system's package manager is available.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensurePrograms } from '../../../tools/local/server-programs.mjs';
import { buildProgram, compiler, readErrors, renderModule } from './solana/build-program.mjs';

const target = join(dirname(fileURLToPath(import.meta.url)), '../src/generated/solana-pay.ts');

try {
  await ensurePrograms([compiler], console.log);
  const text = renderModule(buildProgram(), readErrors());
  if (currentText() === text) {
    console.log('src/generated/solana-pay.ts is up to date');
  } else if (process.argv.includes('--check')) {
    throw new Error(
      'src/generated/solana-pay.ts is not what solana/pay.c compiles to; run: node scripts/compile-solana.mjs',
    );
  } else {
    writeFileSync(target, text);
    console.log('src/generated/solana-pay.ts written');
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function currentText() {
  try {
    return readFileSync(target, 'utf8');
  } catch {
    return undefined;
  }
}
