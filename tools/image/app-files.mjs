import { existsSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { filesIn } from '../local/files-in.mjs';
import { libraryFolders } from '../local/projects.cjs';

/**
 * @typedef {object} AppFiles
 * @property {Set<string>} files paths of compiled files and package.json files, relative to the checkout
 * @property {Set<string>} packages names of the packages that these files load
 */

// swc compiles every import to one of these forms, with a constant string.
const loads = /\b(?:require|require\.resolve|import)\((?:\/\*.*?\*\/\s*)?(["'])([^"'\n]+)\1\)/g;

// Folders of files that an app reads by path.
const served = { gateway: ['apps/web/dist'] };

/**
 * Returns the content of an app's image: all its compiled files, because workers and data are loaded by path, and the
 * library files that they load. Test harnesses and simulators in `testing/` are omitted.
 * @param {string} root the checkout, after a build
 * @param {string} app
 * @returns {AppFiles}
 */
export function filesOfApp(root, app) {
  const libraries = libraryFolders(root);
  /** @type {AppFiles} */
  const found = { files: new Set([`apps/${app}/package.json`]), packages: new Set() };
  const waiting = filesIn(join(root, 'apps', app, 'dist')).filter(
    (path) => /\.js(on)?$/.test(path) && !path.includes('/testing/'),
  );
  if (waiting.length === 0) throw new Error(`apps/${app}/dist has no files. Build it: npm run build`);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = relative(root, path);
    if (found.files.has(name)) continue;
    found.files.add(name);
    for (const request of requestsOf(path)) {
      const own = fileOf(request, path, root, libraries);
      if (own) waiting.push(own);
      else if (!isBuiltin(request)) found.packages.add(packageOf(request));
    }
  }
  for (const folder of served[/** @type {keyof typeof served} */ (app)] ?? [])
    for (const path of filesIn(join(root, folder))) found.files.add(relative(root, path));
  addManifests(found.files, Object.values(libraries));
  return found;
}

/** @param {string} path @returns {string[]} the modules that a compiled file loads */
export function requestsOf(path) {
  const code = readFileSync(path, 'utf8');
  return [...code.matchAll(loads)].map(([, , request]) => request);
}

/** @param {string} request `@scope/name/file` or `name/file` */
const packageOf = (request) =>
  request
    .split('/')
    .slice(0, request.startsWith('@') ? 2 : 1)
    .join('/');

/**
 * Returns the file of this repository that an import resolves to.
 * @param {string} request
 * @param {string} from
 * @param {string} root
 * @param {Record<string, string>} libraries
 */
function fileOf(request, from, root, libraries) {
  if (request.startsWith('.')) return existingFile(join(dirname(from), request), `${request} in ${from}`);
  if (!request.startsWith('@tollbridge/')) return undefined;
  const name = packageOf(request);
  const folder = libraries[name];
  if (!folder) throw new Error(`${relative(root, from)} loads ${request}: apps load libraries only`);
  const entry = request.slice(name.length + 1);
  return existingFile(join(root, folder, 'dist', entry), request);
}

/** @param {string} path @param {string} title */
function existingFile(path, title) {
  const candidates = [path, `${path}.js`, join(path, 'index.js')];
  const file = candidates.find((it) => existsSync(it) && statSync(it).isFile());
  if (!file) throw new Error(`${title} is not compiled. Build it: npm run build`);
  return file;
}

/** @param {Set<string>} files @param {string[]} folders */
function addManifests(files, folders) {
  for (const folder of folders)
    if ([...files].some((name) => name.startsWith(`${folder}/dist/`))) files.add(`${folder}/package.json`);
}
