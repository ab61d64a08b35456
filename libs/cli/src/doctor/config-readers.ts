/** Apps with settings of a deployment. */
export const configuredApps = [
  'gateway',
  'merchant',
  'nanopay',
  'pay-orders',
  'service-api',
  'stream',
  'tee',
  'tx-engine',
] as const;

/** The configuration module of an app. */
export interface AppConfig {
  /** Settings by variable name. */
  settings: Readonly<Record<string, { isSecret?: boolean }>>;
  /** @throws ConfigurationError with every problem, without values */
  readConfig(env: Record<string, string>): unknown;
}

/**
 * Loads the configuration parsers of an app by its name. This library must not import apps, so the entry point passes
 * the loader.
 */
export type LoadAppConfig = (app: string) => Promise<AppConfig>;
