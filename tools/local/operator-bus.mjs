import { createRequire } from 'node:module';
import { Problem } from './problem.mjs';

/**
 * Whether a command of the operator is for a deployment, rather than for the sandbox in a folder of this machine.
 * @param {{ nats?: string, directory?: string }} options
 */
export function isForDeployment({ nats, directory }) {
  const { OPERATOR_NATS_URL, OPERATOR_NATS_URL_FILE } = process.env;
  return (
    nats !== undefined || (directory === undefined && Boolean(OPERATOR_NATS_URL || OPERATOR_NATS_URL_FILE))
  );
}

/**
 * The bus of a deployment from the environment, by the rules of production unless TOLLBRIDGE_ENV says otherwise. They
 * allow a bus without TLS only on this machine, or with its reason in ALLOW_PLAINTEXT.
 * @param {string | undefined} nats instead of OPERATOR_NATS_URL
 * @param {(config: any) => Record<string, any>} [more] further settings, made with the library of settings
 * @returns {{ url: string, tls: { caFile?: string, certFile?: string, keyFile?: string }, config: any }}
 * @throws Problem that names every variable that is missing or not usable
 */
export function readOperatorBus(nats, more = () => ({})) {
  // Loaded late: in a fresh clone it has to be built first.
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
