import { processSettings } from './process-settings.mjs';

const preamble = `# Written by \`npm run docs\` from the settings that the apps declare. Do not edit.
#
# What a deployment sets first: every setting that an app needs outside of the sandbox, and the most common others.
# All settings, with default, bound and meaning: docs/settings.md. \`npm start\` needs none of them.
# Each app reads its own variables only. Replace each password and secret; the variable NAME_FILE names a file that has
# the secret NAME instead. A variable behind a # is optional and shows its default. Migrations of an app run with
# <APP>_MIGRATION_DATABASE_URL, under the role that owns its schema.
`;

/**
 * Renders .env.example with the required settings and those with `isCommon`. It omits the settings of the sandbox app,
 * because no deployment runs it.
 *
 * @param {Pick<import('./product.mjs').Product, 'apps'>} product
 */
export function renderExample(product) {
  const apps = product.apps.filter(({ name }) => name !== 'sandbox');
  const common = Object.assign({}, ...apps.map(({ settings }) => commonOf(settings)));
  const readers = (name) => apps.filter(({ settings }) => name in settings);
  const shared = Object.keys(common).filter((name) => readers(name).length > 1);
  return [
    preamble,
    group('Several apps', [
      ...lines(commonOf(processSettings)),
      ...shared.flatMap((name) => lines({ [name]: common[name] })),
    ]),
    ...apps.map(({ name, settings }) => group(name, lines(without(shared, commonOf(settings))))),
  ].join('\n');
}

const isRequired = (setting) => setting.default === undefined;

const commonOf = (settings) =>
  Object.fromEntries(
    Object.entries(settings).filter(([, setting]) => isRequired(setting) || setting.isCommon),
  );

const without = (names, settings) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));

const group = (title, entries) => [`# ---- ${title} ----`, ...entries, ''].join('\n');

const lines = (settings) => Object.entries(settings).map(([name, setting]) => line(name, setting));

function line(name, setting) {
  const { description, example, isSecret } = setting;
  const comment = `# ${description.split(';')[0]}${isSecret ? ' (secret)' : ''}`;
  if (!isRequired(setting)) return `${comment}\n# ${name}=${setting.default}`;
  // An operator might deploy a placeholder that looks like a password without changing it.
  return `${comment}\n${name}=${example.replace(':password@', ':REPLACE_ME@')}`;
}
