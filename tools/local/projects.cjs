// Lists the projects of this repository: every folder below libs/ and apps/ with a package.json and sources. It is
// CommonJS, because jest.config.cjs and child processes of tests also load it.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const repository = resolve(__dirname, '../..');

/**
 * @param {string} [root] the checkout
 * @returns {string[]} sorted project folders relative to the checkout, such as `apps/gateway` and `libs/platform/rpc`
 */
function projectFolders(root = repository) {
  const below = (/** @type {string} */ folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => `${folder}/${name}`)
      : [];
  const isProject = (/** @type {string} */ folder) => existsSync(join(root, folder, 'src'));
  // Libraries are directly in libs/ or in one group folder.
  const libraries = below('libs').flatMap((folder) => (isProject(folder) ? [folder] : below(folder)));
  return [...below('apps'), ...libraries].filter(isProject).sort();
}

/**
 * @param {string} [root] the checkout
 * @returns {Record<string, string>} the folder of each library by its package name, for example `@tollbridge/rpc` →
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
 * Returns the path of the source of a package in this repository.
 * @param {string} request such as `@tollbridge/rpc`, `@tollbridge/paywall/nestjs` or `@tollbridge/app-gateway`
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
