const preamble = `# Written by \`npm run docs\` from the settings that the apps declare. Do not edit.
#
# \`npm start\` needs none of this: it creates passwords and addresses itself. This is for running the apps by other means.
# Each app reads its own variables only. A variable behind a # is optional and shows its default; one that is marked
# "sandbox" has that default in the sandbox only. Outside of the sandbox no secret has a default: an app does not start
# while a variable is missing, and names every missing one. A secret NAME may be in a file instead: NAME_FILE=path.
`;

const shared = [
  [
    'SANDBOX_EXPOSED',
    'on lets other machines reach a sandbox, where the header x-wallet alone authenticates a client: any client that reaches it acts as any wallet',
    'off',
  ],
  [
    'ALLOW_PLAINTEXT',
    'in production: kinds of servers (database, nats, redis) that are reached without TLS over a network, each with its reason, comma-separated: nats=the service mesh encrypts it',
    '',
  ],
  ['LOG_LEVEL', 'trace, debug, info, warn, error or silent', 'info'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'where traces are sent by OTLP over HTTP; without it none are sent', ''],
];

/** .env.example @param {import('./product.mjs').Product} product */
export function renderSettings({ apps, migrationSettings, provisioningSettings }) {
  const names = new Map();
  for (const { name, settings } of apps)
    for (const variable of Object.keys(settings)) names.set(variable, [...(names.get(variable) ?? []), name]);
  const isShared = (variable) => names.get(variable).length > 1;
  const all = Object.assign({}, ...apps.map(({ settings }) => settings));
  const sharedSettings = Object.keys(all).filter(isShared);
  return [
    preamble,
    heading('Several apps'),
    '# where this runs: sandbox, test or production; no default (every app)\nTOLLBRIDGE_ENV=sandbox\n',
    ...shared.map(([name, description, value]) => `# ${description}\n# ${name}=${value}\n`),
    ...Object.entries(migrationSettings).map(([name, setting]) => render(name, setting, ' (migrations)')),
    renderProvisioner(provisioningSettings),
    ...sharedSettings.map((name) => render(name, all[name], ` (${receivers(names.get(name), apps)})`)),
    ...apps.flatMap(({ name, settings, migrationVariable }) => [
      heading(name),
      ...Object.keys(settings)
        .filter((variable) => !isShared(variable))
        .map((variable) => render(variable, settings[variable])),
      ...(migrationVariable ? [renderMigration(name, migrationVariable)] : []),
    ]),
  ].join('\n');
}

const heading = (text) => `# ---- ${text} ${'-'.repeat(Math.max(4, 100 - text.length))}\n`;

function receivers(names, apps) {
  return names.length === apps.length ? 'every app' : names.join(', ');
}

function render(name, { description, example, default: value, sandboxDefault, isSecret }, note = '') {
  const comment = `# ${description}${note}${isSecret ? `. Secret, or ${name}_FILE: replace the password.` : ''}`;
  if (value !== undefined) return `${comment}\n# ${name}=${value}\n`;
  if (sandboxDefault !== undefined) return `${comment}; sandbox: ${sandboxDefault}\n${name}=${example}\n`;
  return `${comment}\n${name}=${placeholder(example)}\n`;
}

const provisionerUrl = 'PROVISIONER_NATS_URL';

/** Its other settings are those of the apps that publish events. @param {Record<string, any>} settings */
const renderProvisioner = ({ [provisionerUrl]: url }) =>
  render(provisionerUrl, url, ' (`node apps/pay-orders/dist/provision-streams.js` only)');

function renderMigration(app, name) {
  const role = app.replaceAll('-', '_');
  const comment = `# PostgreSQL of ${app} under the role that owns its schema, for \`node apps/${app}/dist/migrate.js\` only. Secret, or ${name}_FILE: replace the password.`;
  return `${comment}\n${name}=${placeholder(`postgres://${role}_owner:password@127.0.0.1:5432/tollbridge`)}\n`;
}

/** A placeholder that looks like a password might be deployed unchanged. */
const placeholder = (example) => example.replace(':password@', ':REPLACE_ME@');
