import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chainIds, nodeUrl } from './evm-nodes.mjs';
import { natsUrls } from './nats.mjs';
import { natsProvisioner } from './nats-users.mjs';
import { tronChainId } from './networks.mjs';
import { postgresUrl } from './postgres.mjs';
import { redisUrl } from './redis.mjs';
import { repository } from './directory.mjs';
import { schemas } from './passwords.mjs';

/**
 * The order of the shutdown. The gateway is first, so that it finishes its requests while the other apps run.
 */
export const appNames = [
  'gateway',
  'stream',
  'pay-orders',
  'tx-engine',
  'merchant',
  'service-api',
  'nanopay',
  'tee',
  'sandbox',
];

export const allInOne = 'all-in-one';

/**
 * @typedef {object} SandboxSetup input for the environment of the apps
 * @property {import('./directory.mjs').Directory} directory
 * @property {import('./passwords.mjs').Passwords} passwords
 * @property {Record<string, number>} ports by server, EVM node (`evm-<chain id>`), app (its management port);
 *   `simulators`, `smtp`, and `stream-public`, where the gateway reaches the stream
 * @property {number} gatewayPort
 * @property {string[]} [networks] local networks in addition to the EVM nodes (networks.mjs)
 */

/** @param {string} app */
export const prefixOf = (app) => app.toUpperCase().replaceAll('-', '_');

/** @param {string} app */
export const schemaOf = (app) => app.replaceAll('-', '_');

/** @param {string} app */
export const hasSchema = (app) => schemas.includes(schemaOf(app));

/** @param {SandboxSetup} setup */
export const gatewayUrl = ({ gatewayPort }) => `http://127.0.0.1:${gatewayPort}`;

/** @param {SandboxSetup} setup */
const hooksUrl = (setup) => `${gatewayUrl(setup)}/hooks`;

/** @param {SandboxSetup} setup */
const simulatorsUrl = ({ ports }) => `http://127.0.0.1:${ports.simulators}`;

/** The environment as a table: the variable, the apps that get it, and its value. */
const everyApp = appNames;
const nanopayApps = ['gateway', 'nanopay', 'tee'];
/** @type {[string, string[], (setup: SandboxSetup) => string][]} */
const table = [
  ['TOLLBRIDGE_ENV', everyApp, () => 'sandbox'],
  // Off by default, because a user can set an app's variable to an address that other machines can reach.
  ['SANDBOX_EXPOSED', everyApp, () => process.env.SANDBOX_EXPOSED || 'off'],
  ['LOG_LEVEL', everyApp, () => process.env.LOG_LEVEL || 'info'],
  ['BUS_OLD_RELEASE_UNTIL', everyApp, () => process.env.BUS_OLD_RELEASE_UNTIL ?? ''],
  ['STOP_DELAY_MS', everyApp, () => process.env.STOP_DELAY_MS ?? ''],
  ['STOP_TIMEOUT_MS', everyApp, () => process.env.STOP_TIMEOUT_MS ?? ''],
  ['GATEWAY_PUBLIC_URL', everyApp, gatewayUrl],
  ['SERVICE_IDENTITIES_FILE', everyApp, ({ directory }) => directory.file('identities.json')],
  ['CHAINS_FILE', everyApp, ({ directory }) => directory.file('chains.json')],
  ['HOST', ['gateway'], () => '127.0.0.1'],
  ['PORT', ['gateway'], ({ gatewayPort }) => String(gatewayPort)],
  ['GATEWAY_REDIS_URL', ['gateway'], ({ passwords, ports }) => redisUrl(passwords.redis, ports.redis)],
  // On a machine that also runs a build or a browser, a count can be late without an outage of Redis.
  ['GATEWAY_REDIS_TIMEOUT_MS', ['gateway'], () => process.env.GATEWAY_REDIS_TIMEOUT_MS || '1000'],
  ['STREAM_URL', ['gateway'], ({ ports }) => `http://127.0.0.1:${ports['stream-public']}`],
  ['STREAM_PORT_NUMBER', ['stream'], ({ ports }) => String(ports['stream-public'])],
  ['PAY_ORDERS_REDIS_URL', ['pay-orders'], ({ passwords, ports }) => redisUrl(passwords.redis, ports.redis)],
  ['MERCHANT_KEY_PEPPER', ['merchant'], ({ passwords }) => passwords.keyPepper],
  ['MERCHANT_SANDBOX_WORLD_FILE', ['merchant'], ({ directory }) => directory.file('world.json')],
  ['SANDBOX_WORLD_FILE', ['sandbox'], ({ directory }) => directory.file('world.json')],
  ['SANDBOX_EVM_NODES', ['sandbox'], evmNodes],
  ['SANDBOX_NETWORKS', ['sandbox'], ({ networks = [] }) => networks.join(',') || 'none'],
  ['SANDBOX_TRON_NODE', ['sandbox'], ({ ports }) => nodeUrl(ports[`evm-${tronChainId}`])],
  ['SANDBOX_SIMULATORS_PORT_NUMBER', ['sandbox'], ({ ports }) => String(ports.simulators)],
  ['SANDBOX_SIMULATORS_PUBLIC_URL', ['sandbox'], simulatorsUrl],
  ['SANDBOX_SMTP_PORT_NUMBER', ['sandbox'], ({ ports }) => String(ports.smtp)],
  // Replaces the simulators, for a bench or for tests with the real provider.
  ['ONECLICK_URL', ['pay-orders'], (setup) => process.env.ONECLICK_URL || `${simulatorsUrl(setup)}/oneclick`],
  ['ONECLICK_PUBLIC_KEY', ['pay-orders'], () => process.env.ONECLICK_PUBLIC_KEY ?? ''],
  ['ONECLICK_API_KEY', ['pay-orders'], () => process.env.ONECLICK_API_KEY ?? ''],
  ['BALANCES_FILE', ['pay-orders', 'merchant'], () => process.env.BALANCES_FILE ?? ''],
  // If it is off, payers enter an address for refunds. The keys are those of the sandbox, which the local nodes fund.
  ['REFUND_ACCOUNT', ['pay-orders'], () => process.env.REFUND_ACCOUNT || 'on'],
  // The local nodes suggest a thousand times the price of a rollup, as for payouts.
  ['REFUND_TIP_MWEI', ['pay-orders'], () => '1'],
  ['REFUND_MANUAL_ACCOUNTS', ['pay-orders'], () => process.env.REFUND_MANUAL_ACCOUNTS ?? sandboxAccounts],
  // It uses a key of the sandbox, which the local nodes fund.
  ['FACILITATOR', ['pay-orders'], () => process.env.FACILITATOR || 'on'],
  ['FACILITATOR_TOKENS', ['pay-orders'], () => process.env.FACILITATOR_TOKENS || '*/USDC'],
  ['FACILITATOR_RECEIVERS', ['pay-orders'], () => process.env.FACILITATOR_RECEIVERS || '*'],
  // The sandbox's own keys pay for the transactions. A 402 lists every token; tokens on several chains show this.
  ['SALES', ['gateway', 'service-api'], () => process.env.SALES || 'on'],
  ['SALES_TOKENS', ['service-api'], () => process.env.SALES_TOKENS || 'base/USDC,arbitrum/USDC,solana/USDC'],
  ['ACROSS_URL', ['tx-engine'], (setup) => process.env.ACROSS_URL || `${simulatorsUrl(setup)}/across`],
  ['ACROSS_API_KEY', ['tx-engine'], () => process.env.ACROSS_API_KEY ?? ''],
  ['LIFI_URL', ['tx-engine'], (setup) => process.env.LIFI_URL || `${simulatorsUrl(setup)}/lifi/v1`],
  ['LIFI_API_KEY', ['tx-engine'], () => process.env.LIFI_API_KEY ?? ''],
  ['RELOADLY_AUTH_URL', ['service-api'], (setup) => `${simulatorsUrl(setup)}/reloadly/auth`],
  ['RELOADLY_GIFTCARDS_URL', ['service-api'], (setup) => `${simulatorsUrl(setup)}/reloadly/giftcards`],
  ['RELOADLY_TOPUPS_URL', ['service-api'], (setup) => `${simulatorsUrl(setup)}/reloadly/topups`],
  ['RELOADLY_UTILITIES_URL', ['service-api'], (setup) => `${simulatorsUrl(setup)}/reloadly/utilities`],
  // The simulator accepts the real audiences of the provider's sandbox, and one public client.
  ['RELOADLY_GIFTCARDS_AUDIENCE', ['service-api'], () => 'https://giftcards-sandbox.reloadly.com'],
  ['RELOADLY_TOPUPS_AUDIENCE', ['service-api'], () => 'https://topups-sandbox.reloadly.com'],
  ['RELOADLY_UTILITIES_AUDIENCE', ['service-api'], () => 'https://utilities-sandbox.reloadly.com'],
  ['RELOADLY_CLIENT_ID', ['service-api'], () => 'sandbox-client-id'],
  ['RELOADLY_CLIENT_SECRET', ['service-api'], () => 'sandbox-client-secret'],
  [
    'DEFILLAMA_URL',
    ['pay-orders', 'tx-engine', 'merchant', 'service-api'],
    (setup) => `${simulatorsUrl(setup)}/defillama`,
  ],
  [
    'ECB_RATES_URL',
    ['pay-orders', 'merchant'],
    (setup) => process.env.ECB_RATES_URL || `${simulatorsUrl(setup)}/ecb`,
  ],
  [
    'OPEN_EXCHANGE_RATES_URL',
    ['pay-orders', 'merchant'],
    (setup) => process.env.OPEN_EXCHANGE_RATES_URL || `${simulatorsUrl(setup)}/openexchangerates`,
  ],
  [
    'OPEN_EXCHANGE_RATES_APP_ID',
    ['pay-orders', 'merchant'],
    () => process.env.OPEN_EXCHANGE_RATES_APP_ID || '5a11d0c5a11d0c5a11d0c5a11d0c5a11',
  ],
  // A rate that a user changes in the sandbox counts within a minute.
  ['RATES_EVERY_SECONDS', ['pay-orders', 'merchant'], () => process.env.RATES_EVERY_SECONDS || '60'],
  // Uses the sandbox's own mail domains, and keys that its simulators accept.
  ['MAILTM_URL', ['service-api'], (setup) => process.env.MAILTM_URL || `${simulatorsUrl(setup)}/mailtm`],
  [
    'AGENTMAIL_URL',
    ['service-api'],
    (setup) => process.env.AGENTMAIL_URL || `${simulatorsUrl(setup)}/agentmail`,
  ],
  ['AGENTMAIL_API_KEY', ['service-api'], () => process.env.AGENTMAIL_API_KEY || 'am_sandbox_7c1e0f9b2d'],
  ['RESEND_URL', ['service-api'], (setup) => process.env.RESEND_URL || `${simulatorsUrl(setup)}/resend`],
  ['RESEND_API_KEY', ['service-api'], () => process.env.RESEND_API_KEY || 're_sandbox_4f9a1c7e20'],
  ['RESEND_DOMAIN', ['service-api'], () => process.env.RESEND_DOMAIN || 'tollbridge.test'],
  [
    'SMS_NUMBERS_URL',
    ['service-api'],
    (setup) => `${simulatorsUrl(setup)}/sms-activate/stubs/handler_api.php`,
  ],
  ['SMS_NUMBERS_KEY', ['service-api'], () => 'sandbox-numbers-key'],
  ['SMS_NUMBERS_LOOK_MS', ['service-api'], () => '500'],
  ['TWILIO_URL', ['service-api'], (setup) => `${simulatorsUrl(setup)}/twilio`],
  ['TWILIO_ACCOUNT_SID', ['service-api'], () => 'AC5a11d0c5a11d0c5a11d0c5a11d0c5a11'],
  ['TWILIO_AUTH_TOKEN', ['service-api'], () => 'sandbox-twilio-auth-token-0123456789'],
  ['TWILIO_FROM', ['service-api'], () => '+15005550006'],
  // Set LITHIC_… and LASO_… for real cards. The credentials below are valid only for the simulators.
  ['SERVICE_API_CARD_ISSUER', ['service-api'], () => process.env.SERVICE_API_CARD_ISSUER || 'lithic'],
  ['LITHIC_URL', ['service-api'], (setup) => process.env.LITHIC_URL || `${simulatorsUrl(setup)}/lithic`],
  ['LITHIC_API_KEY', ['service-api'], () => process.env.LITHIC_API_KEY || 'lithic-key-of-the-sandbox'],
  ['LASO_URL', ['service-api'], (setup) => process.env.LASO_URL || `${simulatorsUrl(setup)}/laso`],
  ['LASO_WALLET_KEY', ['service-api'], () => process.env.LASO_WALLET_KEY || lasoSandboxKey],
  // The simulators send webhooks, each signed with the secret of the receiving app.
  ['SANDBOX_HOOKS_URL', ['sandbox'], hooksUrl],
  ['SERVICE_API_HOOKS_URL', ['service-api'], hooksUrl],
  ['RELOADLY_WEBHOOK_SECRET', ['service-api'], () => 'sandbox-reloadly-webhook-secret'],
  ['AGENTMAIL_WEBHOOK_SECRET', ['service-api'], () => 'whsec_c2FuZGJveC1hZ2VudG1haWwtd2ViaG9va3M='],
  ['RESEND_WEBHOOK_SECRET', ['service-api'], () => 'whsec_c2FuZGJveC1yZXNlbmQtd2ViaG9va3MtMDE='],
  ['LITHIC_WEBHOOK_SECRET', ['service-api'], () => 'whsec_c2FuZGJveC1saXRoaWMtd2ViaG9va3MtMDE='],
  ['SMS_NUMBERS_WEBHOOK_TOKEN', ['service-api'], () => 'sandbox-numbers-webhook-token'],
  // Buyers sign these values, so all payment apps need the same value.
  ['NANOPAY_NETWORK', nanopayApps, () => process.env.NANOPAY_NETWORK ?? ''],
  ['NANOPAY_CONTRACT', nanopayApps, () => process.env.NANOPAY_CONTRACT ?? ''],
  ['NANOPAY_ASSET', nanopayApps, () => process.env.NANOPAY_ASSET ?? ''],
  ['NANOPAY_ASSET_SYMBOL', nanopayApps, () => process.env.NANOPAY_ASSET_SYMBOL ?? ''],
  ['TEE_KEY_FILE', ['tee'], ({ directory }) => directory.file('tee.key')],
  ['PAYOUT_ONCHAIN', ['service-api'], () => process.env.PAYOUT_ONCHAIN || 'on'],
  ['PAYOUT_RELAYER_KEY', ['service-api'], () => sandboxRelayerKey],
  // The local nodes suggest one gwei, a thousand times the price of a rollup. The fee of a small payout would not cover
  // it.
  ['PAYOUT_TIP_MWEI', ['service-api'], () => '1'],
  [
    'TONCENTER_URL',
    ['nanopay'],
    (setup) => process.env.TONCENTER_URL || `${simulatorsUrl(setup)}/toncenter/api/v2/jsonRPC`,
  ],
  ...appNames.flatMap(ownRows),
];

// The ninth account of the public mnemonic that local nodes fund.
const sandboxRelayerKey = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97';

// Addresses on chains without a local node. The simulated provider refunds to them, and an operator forwards the
// refunds.
const sandboxAccounts = [
  ...['1', '10', '56', '137', '43114'].map(
    (chainId) => `eip155:${chainId}=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed`,
  ),
  'btc=bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'tron=TPswDDCAWhJAZGdHPidFg5nEf8TkNToDX1',
  'solana=83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri',
  'ton=UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
  'sui=0x02a212de6a9dfa3a69e22387acfbafbb1a9e591bd9d636e7895dcfc8de05f331',
  'xrp=rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn',
  'ltc=LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz',
  'doge=DLSSSUS3ex7YNDACJDxMER1ZMW579Vy8Zy',
].join(',');

// The private key of a wallet without funds. It signs payments that the simulator accepts.
const lasoSandboxKey = `0x${'11'.repeat(32)}`;

/** The rows that each app has with its own prefix. @param {string} app @returns {typeof table} */
function ownRows(app) {
  const prefix = prefixOf(app);
  const schema = schemaOf(app);
  /** @type {typeof table} */
  const rows = [
    [`${prefix}_NATS_URL`, [app], ({ passwords, ports }) => natsUrls(app, passwords.nats[app], ports)],
    [`${prefix}_MANAGEMENT_PORT_NUMBER`, [app], ({ ports }) => String(ports[app])],
    [`${prefix}_IDENTITY_SECRET`, [app], ({ passwords }) => passwords.identities[app]],
  ];
  if (hasSchema(app)) rows.push([`${prefix}_DATABASE_URL`, [app], (setup) => databaseUrl(setup, schema)]);
  return rows;
}

/** @param {SandboxSetup} setup */
function evmNodes({ ports }) {
  return chainIds.map((chainId) => `${chainId}=${nodeUrl(ports[`evm-${chainId}`])}`).join(',');
}

/** @param {SandboxSetup} setup @param {string} role */
function databaseUrl({ passwords, ports }, role) {
  return postgresUrl(role, passwords.postgres[role], ports.postgres, 'tollbridge');
}

/**
 * Returns the environment of a process: only the rows of the apps in it, so that no app sees secrets of another. An app
 * also gets the variables that the user set with its prefix, such as PAY_ORDERS_DATABASE_CONNECTIONS.
 * @param {SandboxSetup} setup
 * @param {string[]} apps
 * @returns {Record<string, string>}
 */
export function appEnvironment(setup, apps) {
  const rows = table.filter(([, receivers]) => receivers.some((app) => apps.includes(app)));
  const prefixes = [...apps.map((app) => `${prefixOf(app)}_`), 'OTEL_'];
  return {
    ...inherited((name) => basics.includes(name) || prefixes.some((prefix) => name.startsWith(prefix))),
    ...Object.fromEntries(rows.map(([name, , value]) => [name, value(setup)])),
  };
}

/**
 * Migrations change the schema, so they run as the role that owns it.
 * @param {SandboxSetup} setup
 * @param {string} app
 */
export function migrationEnvironment(setup, app) {
  const owner = `${schemaOf(app)}_owner`;
  return {
    ...inherited((name) => basics.includes(name) || name.startsWith('MIGRATION_')),
    TOLLBRIDGE_ENV: 'sandbox',
    LOG_LEVEL: process.env.LOG_LEVEL || 'info',
    [`${prefixOf(app)}_MIGRATION_DATABASE_URL`]: databaseUrl(setup, owner),
  };
}

/** The settings of the streams, and the NATS user of the provisioner. @param {SandboxSetup} setup */
export function provisioningEnvironment({ passwords, ports }) {
  return {
    ...inherited((name) => basics.includes(name) || /^[A-Z_]+_STREAM_[A-Z_]+$/.test(name)),
    TOLLBRIDGE_ENV: 'sandbox',
    PROVISIONER_NATS_URL: natsUrls(natsProvisioner, passwords.nats[natsProvisioner], ports),
  };
}

// Variables of the machine that programs need. They do not belong to the sandbox.
const basics = ['PATH', 'HOME', 'LANG', 'TZ', 'NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/** @param {(name: string) => boolean} isWanted @returns {Record<string, string>} */
function inherited(isWanted) {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value && isWanted(name) ? [[name, value]] : [])),
  );
}

/** @param {string} app @param {string} program such as `main` */
export const appProgram = (app, program) => join(repository, 'apps', app, 'dist', `${program}.js`);

/** The apps that have migrations. */
export const migratedApps = () =>
  appNames.filter((app) => hasSchema(app) && existsSync(appProgram(app, 'migrate')));
