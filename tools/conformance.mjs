// Runs the public test suites of x402 and MCP against this product and writes docs/conformance.md.
//
// npm run conformance [-- --x402 DIR --vectors DIR --endpoints REGEX --keep-page --sellers A,B --facilitators A,B]
//
// With --sellers or --facilitators, runs only these pairs and keeps the results of the previous run for the others.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { repository } from './local/directory.mjs';
import { flag, readOptions, text } from './local/options.mjs';
import { prepare } from './local/prepare.mjs';
import { runSandbox } from './local/run-sandbox.mjs';
import { copyContract } from './conformance/local-usdc.mjs';
import { prepareWorkspace, usdcOfBase } from './conformance/x402-workspace.mjs';

const typedIn = process.env.INIT_CWD ?? process.cwd();
const { values } = readOptions({
  x402: text(),
  vectors: text(),
  endpoints: text('.*'),
  'keep-page': flag,
  sellers: text(),
  facilitators: text(),
});
const folder = join(repository, '.tollbridge', 'conformance');
const directory = join(folder, 'sandbox');
const page = join(repository, 'docs', 'conformance.md');
const stored = join(folder, 'results.json');
const folderOf = (/** @type {string | undefined} */ path) => path && resolve(typedIn, path);
const print = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

const isPart = values.sellers !== undefined || values.facilitators !== undefined;
const hasFormer = existsSync(stored);
if (isPart && !hasFormer && !values['keep-page']) {
  print(
    'There are no results of a whole run, which the page needs. Run `npm run conformance` without --sellers and --facilitators first, or add --keep-page.',
  );
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
/** @type {Awaited<ReturnType<typeof runSandbox>> | undefined} */
let sandbox;
const stop = () => Promise.resolve(sandbox?.stop()).finally(() => process.exit(1));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop());
await prepare();
const workspace = await prepareWorkspace(join(folder, 'x402'), folderOf(values.x402), print);
// Imported here, because in a fresh clone the packages must be installed first.
const { runMatrix, withOthers } = await import('./conformance/x402-matrix.mjs');
const { runBazaarVectors } = await import('./conformance/bazaar-vectors.mjs');
const { runMcpSuite } = await import('./conformance/mcp-suite.mjs');
const { renderPage } = await import('./conformance/render-page.mjs');
const { formatted } = await import('./docs/formatted.mjs');

sandbox = await startWithUsdc();
const { gateway } = sandbox.state;
/** @type {import('./conformance/render-page.mjs').Results} */
let results;
try {
  const { chains, accounts } = await (await fetch(`${gateway}/sandbox`)).json();
  const { rpcUrl } = chains.find((/** @type {any} */ { caip2 }) => caip2 === 'eip155:8453');
  const payerKey = accounts.find((/** @type {any} */ { role }) => role === 'payer').privateKey;
  results = {
    date: new Date().toISOString().slice(0, 10),
    commit: workspace.commit,
    endpoints: values.endpoints,
    bazaar: await runBazaarVectors(gateway, folderOf(values.vectors)),
    mcp: await runMcpSuite(gateway, folder),
    scenarios: await runMatrix({
      workspace,
      gateway,
      rpcUrl,
      payerKey,
      endpoints: values.endpoints,
      folder: join(folder, 'runs'),
      onLine: print,
      ...(values.sellers && { servers: values.sellers.split(',') }),
      ...(values.facilitators && { facilitators: values.facilitators.split(',') }),
    }),
  };
} finally {
  await sandbox.stop();
}
if (isPart && hasFormer)
  results.scenarios = withOthers(results.scenarios, JSON.parse(readFileSync(stored, 'utf8')).scenarios);
// The results of a part are stored only together with those of a full run.
if (!isPart || hasFormer) writeFileSync(stored, `${JSON.stringify(results, null, 2)}\n`);
if (!values['keep-page']) writeFileSync(page, await formatted(page, renderPage(results)));

/** Starts a sandbox where Base has USDC at its real address, as official clients expect. */
async function startWithUsdc() {
  // The official Fastify seller also sells on Solana, and does not start with a facilitator without Solana.
  const environment = { SANDBOX_NETWORKS: 'solana' };
  sandbox = await runSandbox({ directory, isOneProcess: true, environment });
  const path = join(directory, 'chains.json');
  try {
    const file = JSON.parse(readFileSync(path, 'utf8'));
    const base = file.chains.find((/** @type {any} */ { chain }) => chain === 'eip155:8453');
    const usdc = base.tokens.find((/** @type {any} */ { symbol }) => symbol === 'USDC');
    await copyContract(base.rpcUrls[0], usdc.address, usdcOfBase);
    usdc.address = usdcOfBase;
    writeFileSync(path, JSON.stringify(file, null, 2), { mode: 0o600 });
  } finally {
    await sandbox.stop();
  }
  return runSandbox({ directory, isOneProcess: true, isFresh: false, environment });
}
