// The projects of this repository: every folder below libs/ and apps/ with a package.json and sources.
// CommonJS, since jest.config.cjs and child processes of tests read it as well.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const repository = resolve(__dirname, '../..');

/**
 * @param {string} [root] the checkout
 * @returns {string[]} folders of projects relative to the checkout, sorted: `apps/gateway`, `libs/platform/rpc`
 */
function projectFolders(root = repository) {
  const below = (/** @type {string} */ folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => `${folder}/${name}`)
      : [];
  const isProject = (/** @type {string} */ folder) => existsSync(join(root, folder, 'src'));
  // Libraries stand alone or in one group folder.
  const libraries = below('libs').flatMap((folder) => (isProject(folder) ? [folder] : below(folder)));
  return [...below('apps'), ...libraries].filter(isProject).sort();
}

/**
 * @param {string} [root] the checkout
 * @returns {Record<string, string>} the folder of each library by its package name: `@tollbridge/rpc` →
 * `libs/platform/rpc`
 */
function libraryFolders(root = repository) {
  const folders = projectFolders(root).filter((folder) => folder.startsWith('libs/'));
  return Object.fromEntries(
    folders.map((folder) => [
      JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).name,
      folder,
    ]),
  );
}

/**
 * Where the source of a package of this repository stands.
 * @param {string} request `@tollbridge/rpc`, `@tollbridge/paywall/nestjs`, `@tollbridge/app-gateway`
 * @param {string} [root] the checkout
 * @returns {string | undefined} an absolute path; undefined for other packages
 */
function sourceOf(request, root = repository) {
  const [, app, library, entry = ''] =
    /^@tollbridge\/(?:app-([\w-]+)|([\w-]+)(?:\/([\w-]+))?)$/.exec(request) ?? [];
  if (app) return join(root, 'apps', app, 'src/index.ts');
  const folder = library && (folders ??= libraryFolders(root))[`@tollbridge/${library}`];
  return folder ? join(root, folder, 'src', entry, 'index.ts') : undefined;
}

/** @type {Record<string, string> | undefined} */
let folders;

module.exports = { projectFolders, libraryFolders, sourceOf };
