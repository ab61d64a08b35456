import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { link } from './link.mjs';

const sources = join(dirname(fileURLToPath(import.meta.url)), '../../solana');

// Another major version emits different code, and different code is a new program to deploy and audit.
export const compiler = 'clang-19';
const flags = [
  ...['--target=bpfel', '-mcpu=v3', '-O2', '-std=c11', '-ffreestanding', '-fno-builtin', '-fno-ident'],
  ...['-Wall', '-Wextra', '-Werror', '-mllvm', '-bpf-stack-size=4096'],
];

/**
 * Compiles the program in this folder. The same sources always produce the same bytes.
 * @throws Error with the compiler's output, or when the compiler is missing
 */
export function buildProgram(folder = sources) {
  const place = mkdtempSync(join(tmpdir(), 'tollbridge-solana-'));
  try {
    const object = join(place, 'pay.o');
    run([...flags, '-c', 'pay.c', '-o', object], folder);
    return link(readFileSync(object));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Returns the names of the program's own errors by code, from errors.h. @returns {Record<string, string>} */
export function readErrors(folder = sources) {
  const text = readFileSync(join(folder, 'errors.h'), 'utf8');
  return Object.fromEntries(
    [...text.matchAll(/^ {2}([A-Z_]+) = (\d+),/gm)].map(([, name, code]) => [code, name]),
  );
}

/** Renders the generated module. @param {Buffer} program @param {Record<string, string>} errors */
export function renderModule(program, errors) {
  const hash = createHash('sha256').update(program).digest('hex');
  const list = Object.entries(errors).map(([code, name]) => `  ${code}: '${name}',\n`);
  return [
    '// Written by scripts/compile-solana.mjs from solana/pay.c; do not edit.',
    `export const solanaPayCompiler = '${compiler}';`,
    '',
    '/** The ELF file of the program, in base64. */',
    `export const solanaPayCode =\n  '${program.toString('base64')}';`,
    '',
    '/** SHA-256 of the ELF file. */',
    `export const solanaPayCodeHash = '${hash}';`,
    '',
    '/** The errors of the program by the codes of `InstructionError::Custom`. */',
    `export const solanaPayErrors = {\n${list.join('')}} as const;`,
    '',
  ].join('\n');
}

/** @param {string[]} args @param {string} [cwd] */
function run(args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(compiler, args, { encoding: 'utf8', cwd });
  if (status === 0) return stdout;
  throw new Error(error ? `${compiler} is missing. Install the package ${compiler}.` : stderr);
}
