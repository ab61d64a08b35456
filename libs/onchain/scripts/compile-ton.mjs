// Compiles the contracts for TON and writes src/generated/ton-pay.ts. With --check it only compares, and fails on a
// difference.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileTolk, onchain } from './compile-tolk.mjs';

const target = join(onchain, 'src/generated/ton-pay.ts');
const contracts = [
  { name: 'payment', prefix: 'tonPayment' },
  { name: 'settlement', prefix: 'tonSettlement' },
];

async function render() {
  const compiled = await Promise.all(contracts.map(({ name }) => compileTolk(`${name}.tolk`)));
  const lines = ['// Written by scripts/compile-ton.mjs from ton/contracts; do not edit.'];
  lines.push(`export const tonCompiler = 'tolk ${compiled[0].version}';`);
  for (const [index, { prefix }] of contracts.entries()) {
    lines.push('', `export const ${prefix}Code =\n  '${compiled[index].code}';`);
    lines.push('', '/** Hash of the root cell, as nodes and explorers show it. */');
    lines.push(`export const ${prefix}CodeHash = '${compiled[index].hash}';`);
  }
  return `${lines.join('\n')}\n`;
}

function currentText() {
  try {
    return readFileSync(target, 'utf8');
  } catch {
    return undefined;
  }
}

const text = await render();
if (currentText() === text) {
  console.log('src/generated/ton-pay.ts is up to date');
} else if (process.argv.includes('--check')) {
  console.error(
    'src/generated/ton-pay.ts is not what ton/contracts compiles to; run: node scripts/compile-ton.mjs',
  );
  process.exitCode = 1;
} else {
  writeFileSync(target, text);
  console.log('src/generated/ton-pay.ts written');
}
