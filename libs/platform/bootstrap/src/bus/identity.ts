import {
  developmentDirectory,
  developmentIdentitySecret,
  readIdentityDirectory,
  ServiceIdentity,
  type IdentityDirectory,
} from '@tollbridge/rpc';
import { ConfigurationError, type Environment } from '@tollbridge/config';
import { readFileSync } from 'node:fs';

/** Settings of an app's identity, in addition to `<PREFIX>_IDENTITY_SECRET`. */
export interface IdentityConfig {
  environment: Environment;
  /** File of public keys. Empty selects the development identities, which only the sandbox accepts. */
  SERVICE_IDENTITIES_FILE: string;
}

/**
 * Opens the identity of an app, which signs the app's calls and verifies those of other apps.
 * @param config the app's configuration, with its `<PREFIX>_IDENTITY_SECRET`: one secret, or two separated by a comma
 * @throws ConfigurationError when the file cannot be read, or does not list the app's key
 */
export function openIdentity(app: string, config: IdentityConfig): ServiceIdentity {
  const variable = `${app.toUpperCase().replaceAll('-', '_')}_IDENTITY_SECRET`;
  const secrets = (config as unknown as Record<string, string>)[variable]!.split(',');
  const { environment, SERVICE_IDENTITIES_FILE: file } = config;
  const isDevelopment = file === '';
  if (isDevelopment && environment !== 'sandbox')
    throw new ConfigurationError(['SERVICE_IDENTITIES_FILE is missing']);
  if (!isDevelopment && secrets.includes(developmentIdentitySecret(app)))
    throw new ConfigurationError([`${variable} must not be a value from the examples`]);
  const directory = isDevelopment ? developmentDirectory : readDirectory(file);
  try {
    return new ServiceIdentity(app, secrets, directory);
  } catch (error) {
    throw new ConfigurationError([
      `${variable} and SERVICE_IDENTITIES_FILE do not match: ${(error as Error).message}`,
    ]);
  }
}

function readDirectory(file: string): IdentityDirectory {
  try {
    return readIdentityDirectory(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationError([`SERVICE_IDENTITIES_FILE cannot be read: ${code ?? message}`]);
  }
}
