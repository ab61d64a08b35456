// Tests the contracts: committed bytecode, forge tests, and gas. Each forge test and each check counts as one test.
// Gas is compared only for tests with fixed inputs. To accept new values:
// node scripts/test.mjs --update-gas
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const forge = forgeBinary();
// Compiler and forge are pinned, so equal code uses equal gas. Investigate any difference.
const snapshotArgs = ['snapshot', '--no-match-test', '^(testFuzz|invariant)_'];

/** Returns the path of the forge binary, because its npm wrapper always exits with 0. */
function forgeBinary() {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const program = process.platform === 'win32' ? 'forge.exe' : 'forge';
  const name = `@foundry-rs/forge-${process.platform}-${architecture}/bin/${program}`;
  return require.resolve(name);
}

function run(program, ...args) {
  const { stdout, stderr, status } = spawnSync(program, args, {
    cwd: project,
    encoding: 'utf8',
    // The JSON of several hundred tests is well below this limit, but above Node's default of 1 MB.
    maxBuffer: 64 * 1024 * 1024,
  });
  return { stdout, output: `${stdout}${stderr}`.trim(), succeeded: status === 0 };
}

/** Runs the forge tests and returns { name, failure } for each. failure is undefined for a success. */
function forgeTests() {
  const { stdout, output } = run(forge, 'test', '--json');
  const start = stdout.indexOf('{');
  if (start < 0) return [{ name: 'forge test', failure: output }];

  const suites = Object.entries(JSON.parse(stdout.slice(start)));
  return suites.flatMap(([suite, { test_results: results }]) =>
    Object.entries(results).map(([test, { status, reason }]) => ({
      name: `${suite.split(':')[1]} ${test.replace(/\(.*/, '')}`,
      failure: status === 'Success' ? undefined : (reason ?? status),
    })),
  );
}

/** Compares the committed bytecode with forge's build too, because the deployed code must be the tested code. */
function compileCheck() {
  const name = 'compile check: src/generated is what the contracts compile to, here and in forge';
  const { output, succeeded } = run(process.execPath, join(project, 'scripts/compile.mjs'), '--check');
  if (!succeeded) return { name, failure: output };

  const files = {
    TollbridgePay: 'tollbridge-pay',
    TollbridgePayouts: 'tollbridge-payouts',
    SandboxToken: 'sandbox-token',
    SandboxOddToken: 'sandbox-odd-token',
    SandboxTronUsdt: 'sandbox-tron-usdt',
    SandboxWrappedEther: 'sandbox-wrapped-ether',
    SandboxX402ExactProxy: 'sandbox-x402-exact-proxy',
    SandboxX402UptoProxy: 'sandbox-x402-upto-proxy',
    SandboxX402BatchSettlement: 'sandbox-x402-batch-settlement',
    SandboxErc3009Collector: 'sandbox-erc3009-collector',
    SandboxPermit2Collector: 'sandbox-permit2-collector',
    SandboxWallet: 'sandbox-wallet',
    WalletSignatureCheck: 'wallet-signature-check',
  };
  const differs = Object.entries(files)
    .filter(([contract, file]) => !generatedText(file).includes(`'${forgeBytecode(contract)}'`))
    .map(([contract]) => contract);
  return { name, failure: differs.length > 0 ? `forge compiles ${differs} differently` : undefined };
}

/**
 * Compares the Solana program with a new build. The compiler comes from the system's packages, and is installed if it
 * is missing.
 */
function solanaCheck() {
  const name = 'compile check: src/generated/solana-pay.ts is what solana/pay.c compiles to';
  const { output, succeeded } = run(process.execPath, join(project, 'scripts/compile-solana.mjs'), '--check');
  return { name, failure: succeeded ? undefined : output };
}

function generatedText(file) {
  return readFileSync(join(project, `src/generated/${file}.ts`), 'utf8');
}

function forgeBytecode(contract) {
  const path = join(project, `.forge/out/${contract}.sol/${contract}.json`);
  if (!existsSync(path)) return 'not compiled';
  return JSON.parse(readFileSync(path, 'utf8')).bytecode.object;
}

function gasCheck() {
  const { output, succeeded } = run(forge, ...snapshotArgs, '--check');
  const differences = output.split('\n').filter((line) => /^(Diff in|No matching snapshot)/.test(line));
  return {
    name: 'gas snapshot: .gas-snapshot',
    failure: succeeded ? undefined : differences.join('\n') || output,
  };
}

function updateGas() {
  const { output, succeeded } = run(forge, ...snapshotArgs);
  if (!succeeded) throw new Error(output);
}

if (process.argv.includes('--update-gas')) updateGas();

const results = [...forgeTests(), compileCheck(), solanaCheck(), gasCheck()];
for (const { name, failure } of results) {
  console.log(failure === undefined ? `ok    ${name}` : `FAIL  ${name}\n${failure.replace(/^/gm, '      ')}`);
}
const failed = results.filter(({ failure }) => failure !== undefined).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
