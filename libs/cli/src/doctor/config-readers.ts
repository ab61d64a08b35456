/** Apps with settings that a deployment sets. */
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

/** The module with the configuration of an app. */
export interface AppConfig {
  /** Settings by the names of their variables. */
  settings: Readonly<Record<string, { isSecret?: boolean }>>;
  /** @throws ConfigurationError with every problem, and no value */
  readConfig(env: Record<string, string>): unknown;
}

/**
 * Loads the parsers of an app, by its name. This library must not import apps: the start of the program passes them.
 */
export type LoadAppConfig = (app: string) => Promise<AppConfig>;
