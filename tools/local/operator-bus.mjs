import { createRequire } from 'node:module';
import { Problem } from './problem.mjs';

/**
 * Returns true if an operator command is for a deployment, and false if it is for a sandbox on this machine.
 * @param {{ nats?: string, directory?: string }} options
 */
export function isForDeployment({ nats, directory }) {
  const { OPERATOR_NATS_URL, OPERATOR_NATS_URL_FILE } = process.env;
  return (
    nats !== undefined || (directory === undefined && Boolean(OPERATOR_NATS_URL || OPERATOR_NATS_URL_FILE))
  );
}

/**
 * Reads the bus of a deployment from the environment, with the rules of production unless TOLLBRIDGE_ENV says
 * otherwise. The rules permit a bus without TLS only on this machine, or with a reason in ALLOW_PLAINTEXT.
 * @param {string | undefined} nats replaces OPERATOR_NATS_URL
 * @param {(config: any) => Record<string, any>} [more] additional settings, defined with the settings library
 * @returns {{ url: string, tls: { caFile?: string, certFile?: string, keyFile?: string }, config: any }}
 * @throws Problem that lists every missing or invalid variable
 */
export function readOperatorBus(nats, more = () => ({})) {
  // Imported here, because it must be built first in a fresh clone.
  const library = createRequire(import.meta.url)('@tollbridge/config');
  const { loadConfig, natsUrl, tlsFilesOf, tlsSettings } = library;
  const description = 'NATS servers of the deployment, with the user of the operator';
  const settings = {
    OPERATOR_NATS_URL: natsUrl({ description, example: 'tls://operator:password@nats:4222' }),
    ...tlsSettings('nats'),
    ...more(library),
  };
  const given = nats === undefined ? {} : { OPERATOR_NATS_URL: nats, OPERATOR_NATS_URL_FILE: '' };
  const TOLLBRIDGE_ENV = process.env.TOLLBRIDGE_ENV || 'production';
  try {
    const config = loadConfig(settings, { ...process.env, ...given, TOLLBRIDGE_ENV });
    return { url: config.OPERATOR_NATS_URL, tls: tlsFilesOf(config, 'nats'), config };
  } catch (error) {
    throw error.name === 'ConfigurationError' ? new Problem(error.message) : error;
  }
}
