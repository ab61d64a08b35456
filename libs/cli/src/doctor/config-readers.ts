/** The module with the configuration of an app. */
export interface AppConfig {
  /** @throws ConfigurationError with every problem, and no value */
  readConfig(env: Record<string, string>): unknown;
}

/** Loads the parsers of an app, by its name. This library must not import apps: the start of the program passes them. */
export type LoadAppConfig = (app: string) => Promise<AppConfig>;
