import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../exit-codes';
import { didYouMean } from '../suggestion';
import { checkNode } from './check-chains';
import { configuredApps, type AppConfig, type LoadAppConfig } from './config-readers';
import { fail, ok, warn, type Finding } from './finding';

type Values = ReadonlyMap<string, string>;

/**
 * Checks the settings of a file with the parsers of the apps, and the nodes in its `CHAINS_FILE`. @throws UsageError
 */
export async function* checkEnvFile(
  path: string,
  app: string | undefined,
  loadAppConfig: LoadAppConfig,
): AsyncGenerator<Finding> {
  const known: readonly string[] = configuredApps;
  if (app !== undefined && !known.includes(app))
    throw new UsageError(
      `There is no app ${app}.`,
      didYouMean(app, known, `It is one of ${known.join(', ')}.`),
    );
  const values = parseEnv(readText(path));
  yield checkMode(path);
  yield checkEnvironment(values.get('TOLLBRIDGE_ENV'));
  const configs = new Map<string, AppConfig>();
  for (const name of app === undefined ? known : [app]) configs.set(name, await loadAppConfig(name));
  for (const [name, config] of configs)
    if (app !== undefined || isMeant(name, configs, values))
      yield* parseApp(name, environmentOf(config, values, dirname(resolve(path))), config);
  const chains = values.get('CHAINS_FILE');
  if (chains) yield* checkChainsFile(resolve(dirname(resolve(path)), chains), values.get('TOLLBRIDGE_ENV'));
}

/** Parses lines `NAME=value`, with optional quotes and an optional `export`. */
export function parseEnv(text: string): Values {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value = ''] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    const [, , quoted] = /^(['"])(.*)\1\s*$/.exec(value.trim()) ?? [];
    if (name) values.set(name, quoted ?? value.replace(/\s+#.*$/, '').trim());
  }
  return values;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`The file ${path} cannot be read.`);
  }
}

function checkMode(path: string): Finding {
  const others = statSync(path).mode & 0o007;
  return others === 0 || process.platform === 'win32'
    ? ok('file', 'other users cannot read it')
    : warn('file', 'every user of this machine can read it', `Run: chmod 600 ${path}`);
}

function checkEnvironment(value: string | undefined): Finding {
  if (value === 'production' || value === 'test') return ok('TOLLBRIDGE_ENV', value);
  if (value === 'sandbox')
    return warn(
      'TOLLBRIDGE_ENV',
      'sandbox',
      'In a sandbox the header x-wallet alone authenticates: set production.',
    );
  return fail(
    'TOLLBRIDGE_ENV',
    value ? `unknown: ${value}` : 'is missing',
    'Set it to production, test or sandbox.',
  );
}

/** Whether to check an app without `--app`: the file must contain settings of this app only. */
function isMeant(app: string, configs: ReadonlyMap<string, AppConfig>, values: Values): boolean {
  const others = [...configs].filter(([name]) => name !== app).map(([, config]) => config);
  const isOwn = (name: string): boolean => !others.some(({ settings }) => name in settings);
  return Object.keys(configs.get(app)!.settings).some((name) => values.has(name) && isOwn(name));
}

/** Returns the environment of the app. Paths of secret files are relative to the folder of the file. */
function environmentOf({ settings }: AppConfig, values: Values, folder: string): Record<string, string> {
  const env = Object.fromEntries(values);
  for (const [name, { isSecret }] of Object.entries(settings)) {
    const file = isSecret && values.get(`${name}_FILE`);
    if (file) env[`${name}_FILE`] = resolve(folder, file);
  }
  return env;
}

/** Returns every problem that would stop the start of the app, from its own parsers. The texts contain no values. */
function parseApp(app: string, env: Record<string, string>, { readConfig }: AppConfig): Finding[] {
  try {
    readConfig(env);
    return [ok(app, 'every setting can be read')];
  } catch (error) {
    const { problems } = error as { problems?: string[] };
    if (!problems) throw error;
    // The missing environment is reported by a separate finding.
    const own = problems.filter((problem) => !problem.startsWith('TOLLBRIDGE_ENV '));
    if (own.length === 0) return [ok(app, 'every setting can be read')];
    return own.map((problem) => {
      const [, name = '', detail = problem] = /^(\S+) (.*)$/s.exec(problem) ?? [];
      return fail(`${app} ${name}`, detail, 'Correct it: docs/configuration.md');
    });
  }
}

interface ChainEntry {
  chain?: string;
  rpcUrls?: string[];
  payContract?: string;
}

async function* checkChainsFile(path: string, environment: string | undefined): AsyncGenerator<Finding> {
  let chains: ChainEntry[];
  try {
    ({ chains } = JSON.parse(readFileSync(path, 'utf8')) as { chains: ChainEntry[] });
    if (!Array.isArray(chains)) throw new TypeError('not a list');
  } catch {
    yield fail(
      'CHAINS_FILE',
      'is missing, or is not a JSON object with chains',
      'See docs/configuration.md.',
    );
    return;
  }
  yield chains.length > 0
    ? ok('CHAINS_FILE', `${chains.length} chains`)
    : warn('CHAINS_FILE', 'has no chains', 'Nothing can be verified, and no direct payment is taken.');
  for (const { chain = '', rpcUrls = [], payContract = '' } of chains) {
    if (rpcUrls.length < 2 && environment === 'production')
      yield warn(`nodes of ${chain}`, `${rpcUrls.length} node`, 'Take two or more: one may fail or lie.');
    const [, chainId] = /^eip155:(\d+)$/.exec(chain) ?? [];
    // Nodes of other families use other protocols, and their apps check them.
    if (chainId === undefined) continue;
    for (const url of rpcUrls)
      yield await checkNode({ name: chain, chainId: Number(chainId), payContract }, url, { isLocal: false });
  }
}
