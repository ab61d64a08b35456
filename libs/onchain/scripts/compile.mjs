// Compiles the contracts and writes src/generated/*.ts. With --check it only compares, and fails on a difference. The
// settings match foundry.toml, so that the deployed code is the tested code (scripts/test.mjs compares them).
import { keccak256 } from 'ethers';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const solc = require('solc');
const project = join(dirname(fileURLToPath(import.meta.url)), '..');

const contracts = [
  { name: 'TollbridgePay', prefix: 'tollbridgePay', target: 'src/generated/tollbridge-pay.ts' },
  {
    name: 'TollbridgePayouts',
    prefix: 'tollbridgePayouts',
    target: 'src/generated/tollbridge-payouts.ts',
  },
  { name: 'SandboxToken', prefix: 'sandboxToken', target: 'src/generated/sandbox-token.ts' },
  { name: 'SandboxOddToken', prefix: 'sandboxOddToken', target: 'src/generated/sandbox-odd-token.ts' },
  { name: 'SandboxTronUsdt', prefix: 'sandboxTronUsdt', target: 'src/generated/sandbox-tron-usdt.ts' },
  {
    name: 'SandboxWrappedEther',
    prefix: 'sandboxWrappedEther',
    target: 'src/generated/sandbox-wrapped-ether.ts',
  },
  {
    name: 'SandboxX402ExactProxy',
    prefix: 'sandboxX402ExactProxy',
    target: 'src/generated/sandbox-x402-exact-proxy.ts',
  },
  {
    name: 'SandboxX402UptoProxy',
    prefix: 'sandboxX402UptoProxy',
    target: 'src/generated/sandbox-x402-upto-proxy.ts',
  },
  {
    name: 'SandboxX402BatchSettlement',
    prefix: 'sandboxX402BatchSettlement',
    target: 'src/generated/sandbox-x402-batch-settlement.ts',
  },
  {
    name: 'SandboxErc3009Collector',
    prefix: 'sandboxErc3009Collector',
    target: 'src/generated/sandbox-erc3009-collector.ts',
  },
  {
    name: 'SandboxPermit2Collector',
    prefix: 'sandboxPermit2Collector',
    target: 'src/generated/sandbox-permit2-collector.ts',
  },
  { name: 'SandboxWallet', prefix: 'sandboxWallet', target: 'src/generated/sandbox-wallet.ts' },
  {
    name: 'WalletSignatureCheck',
    prefix: 'walletSignatureCheck',
    target: 'src/generated/wallet-signature-check.ts',
  },
];

// The compiler warns about every use of transient storage. Our only use is a reentrancy guard, which the warning
// describes as safe. Any other warning fails.
const transientStorageWarning = '2394';

const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 10_000 },
  // Omits the hash of the sources, so that the bytecode and thus the CREATE2 address are the same on every machine.
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode'] } },
};

function readImport(name) {
  try {
    const path = name.startsWith('contracts/') ? join(project, name) : require.resolve(name);
    return { contents: readFileSync(path, 'utf8') };
  } catch (error) {
    return { error: error.message };
  }
}

function compile() {
  const paths = contracts.map(({ name }) => `contracts/${name}.sol`);
  const sources = Object.fromEntries(
    paths.map((path) => [path, { content: readFileSync(join(project, path), 'utf8') }]),
  );
  const input = { language: 'Solidity', sources, settings };
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
  const problems = (output.errors ?? []).filter(({ errorCode }) => errorCode !== transientStorageWarning);
  if (problems.length === 0) return output.contracts;
  console.error(problems.map(({ formattedMessage }) => formattedMessage).join('\n'));
  process.exit(1);
}

/** Writes one ABI entry per line, so that a reader can compare them. */
const abiText = (abi) => `[\n${abi.map((entry) => `  ${toTypeScript(entry)},\n`).join('')}]`;

function toTypeScript(value) {
  if (Array.isArray(value)) return `[${value.map(toTypeScript).join(', ')}]`;
  if (typeof value === 'object') {
    const fields = Object.entries(value).map(([key, item]) => `${key}: ${toTypeScript(item)}`);
    return `{ ${fields.join(', ')} }`;
  }
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function render({ name, prefix }, { abi, evm }) {
  const lines = [
    `// Written by scripts/compile.mjs from contracts/${name}.sol; do not edit.`,
    `export const ${prefix}Compiler = '${solc.version()}';`,
    '',
    `export const ${prefix}Abi = ${abiText(abi)} as const;`,
    '',
    `export const ${prefix}CreationCode =\n  '0x${evm.bytecode.object}';`,
  ];
  // The constructor sets immutables, so a contract with immutables has no fixed runtime code.
  if (Object.keys(evm.deployedBytecode.immutableReferences).length === 0) {
    const runtimeHash = keccak256(`0x${evm.deployedBytecode.object}`);
    lines.push('', `/** keccak256 of the code that a node returns for the deployed contract. */`);
    lines.push(`export const ${prefix}RuntimeHash = '${runtimeHash}';`);
  }
  return `${lines.join('\n')}\n`;
}

function currentText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const checkOnly = process.argv.includes('--check');
const compiled = compile();
for (const contract of contracts) {
  const text = render(contract, compiled[`contracts/${contract.name}.sol`][contract.name]);
  const path = join(project, contract.target);
  if (currentText(path) === text) {
    console.log(`${contract.target} is up to date`);
  } else if (checkOnly) {
    console.error(
      `${contract.target} is not what ${contract.name}.sol compiles to; run: node scripts/compile.mjs`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    console.log(`${contract.target} written`);
  }
}
