import { environments, type Environment } from './environment';
import { isLoopback } from './loopback';
import { readSecret } from './secret-files';
import { readUrls } from './server-urls';
import { acceptsUrl, atLeast, type Setting, type Settings } from './setting';
import { plaintextProblem, readAllowedPlaintext } from './tls-settings';
import { UnusableValue } from './unusable-value';

export type { Setting, Settings } from './setting';
export { UnusableValue } from './unusable-value';

export type Config<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
} & {
  readonly environment: Environment;
  /** Settings that expose a sandbox to other machines with `SANDBOX_EXPOSED=on`; absent when no setting does. */
  readonly exposed?: readonly string[];
  /** Settings for servers that are reached without TLS in production, each with its reason from `ALLOW_PLAINTEXT`. */
  readonly plaintext?: Readonly<Record<string, string>>;
};

/** Collects all errors of a configuration. The message never contains values, because they may be secrets. */
export class ConfigurationError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
  }
}

type Options<T> = Omit<Setting<T>, 'read' | 'isExposing' | 'plaintextKindOf'>;

export function text(options: Options<string> & { minLength?: number }): Setting<string> {
  const { minLength = 1 } = options;
  return setting(options, minLength > 1 ? atLeast(minLength) : undefined, (value) => {
    if (value.length < minLength) throw new UnusableValue(`must have at least ${minLength} characters`);
    return value;
  });
}

export function integer(options: Options<number> & { min: number; max: number }): Setting<number> {
  const { min, max } = options;
  return setting(options, `${min} to ${max}`, (value) => {
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < min || number > max)
      throw new UnusableValue(`must be an integer from ${min} to ${max}`);
    return number;
  });
}

export function port(options: Options<number>): Setting<number> {
  return integer({ ...options, min: 0, max: 65_535 });
}

export function choice<const T extends string>(values: readonly T[], options: Options<T>): Setting<T> {
  return setting(options, values.join(', '), (value) => {
    if (!values.includes(value as T)) throw new UnusableValue(`must be one of ${values.join(', ')}`);
    return value as T;
  });
}

/** Setting with a URL that has one of the given protocols and a host; or several such URLs, separated by commas. */
export function url(protocols: readonly string[], options: Options<string>): Setting<string> {
  return setting(options, acceptsUrl(protocols), (value) => readUrls(value, protocols));
}

/** Setting with the address that a process listens on. */
export function bindAddress(options: Options<string>): Setting<string> {
  return { ...text(options), isExposing: (host) => !isLoopback(host) };
}

/** Setting with the URL that clients use to reach the process. */
export function publicUrl(options: Options<string>): Setting<string> {
  const isExposing = (value: string): boolean =>
    value.split(',').some((item) => !isLoopback(new URL(item).hostname));
  return { ...url(['http', 'https'], options), isExposing };
}

function setting<T>(
  options: Options<T>,
  accepts: string | undefined,
  read: (value: string) => T,
): Setting<T> {
  return { ...options, ...(accepts && { accepts }), read };
}

/**
 * Reads settings from the environment, once, at the start of a process.
 * @throws ConfigurationError with every variable that is missing or invalid
 */
export function loadConfig<const S extends Settings>(
  settings: S,
  env: NodeJS.ProcessEnv = process.env,
): Config<S> {
  const problems: string[] = [];
  const environment = environmentIn(env, problems);
  const isExposable = isSwitchedOn(env, 'SANDBOX_EXPOSED', problems);
  const allowed = readAllowedPlaintext(env, problems);
  const values: Record<string, unknown> = { environment };
  const exposed: string[] = [];
  const plaintext: Record<string, string> = {};
  for (const [name, definition] of Object.entries(settings)) {
    if (isGivenByItsFormerName(definition, env))
      problems.push(`${definition.formerName} is renamed to ${name}: set ${name} instead`);
    try {
      const value = definition.isSecret ? readSecret(name, env) : env[name];
      values[name] = value ? present(definition, value, environment, env) : absent(definition, environment);
      if (environment === 'sandbox' && definition.isExposing?.(values[name])) exposed.push(name);
      const kind = environment === 'production' ? definition.plaintextKindOf?.(values[name]) : undefined;
      const reason = kind && allowed.get(kind);
      if (reason) plaintext[name] = reason;
      else if (kind) problems.push(plaintextProblem(name, kind));
    } catch (error) {
      const problem = error instanceof UnusableValue ? error.message : 'cannot be read';
      problems.push(`${name} ${problem} (${definition.description})`);
    }
  }
  if (exposed.length > 0 && !isExposable) problems.push(...exposed.map(exposureProblem));
  if (exposed.length > 0) values['exposed'] = Object.freeze(exposed);
  if (Object.keys(plaintext).length > 0) values['plaintext'] = Object.freeze(plaintext);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.freeze(values) as Config<S>;
}

/** Kubernetes sets `STREAM_PORT=tcp://10.0.0.1:80` in every pod beside a Service `stream`; such a value is ignored. */
function isGivenByItsFormerName({ formerName }: Setting<unknown>, env: NodeJS.ProcessEnv): boolean {
  const value = formerName === undefined ? undefined : env[formerName];
  return Boolean(value) && !/^(tcp|udp|sctp):\/\//.test(value!);
}

function environmentIn(env: NodeJS.ProcessEnv, problems: string[]): Environment | undefined {
  const given = env['TOLLBRIDGE_ENV'];
  const environment = environments.find((name) => name === given);
  // The environment has no default, because a sandbox authenticates clients by a header alone.
  if (!given) problems.push(`TOLLBRIDGE_ENV is missing: set it to one of ${environments.join(', ')}`);
  else if (!environment) problems.push(`TOLLBRIDGE_ENV must be one of ${environments.join(', ')}`);
  return environment;
}

function isSwitchedOn(env: NodeJS.ProcessEnv, name: string, problems: string[]): boolean {
  const value = env[name] || 'off';
  if (value !== 'on' && value !== 'off') problems.push(`${name} must be one of on, off`);
  return value === 'on';
}

const exposureProblem = (name: string): string =>
  `${name} lets other machines reach a sandbox, where the header x-wallet alone authenticates the client: use a loopback address, or set SANDBOX_EXPOSED=on`;

function present<T>(
  definition: Setting<T>,
  value: string,
  environment: Environment | undefined,
  env: NodeJS.ProcessEnv,
): T {
  const { example, sandboxDefault, isSecret } = definition;
  // Each of several values is checked, because every one of them is accepted as a secret.
  const isPublic = [value, ...value.split(',')].some((each) => each === example || each === sandboxDefault);
  if (isSecret && isPublic && environment !== 'sandbox')
    throw new UnusableValue('must not be a value from the examples');
  return definition.read(value, env);
}

function absent(definition: Setting<unknown>, environment: Environment | undefined): unknown {
  if (environment === 'sandbox' && definition.sandboxDefault !== undefined) return definition.sandboxDefault;
  if (definition.default !== undefined) return definition.default;
  throw new UnusableValue('is missing');
}
