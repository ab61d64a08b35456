import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesOfApp } from './app-files.mjs';
import { imagePackages, isNeeded } from './app-packages.mjs';
import { writeSbom } from './sbom.mjs';

/**
 * @typedef {object} ImageOptions
 * @property {string} root the checkout, after a build and with installed packages
 * @property {string} app
 * @property {string} output a folder; its former content is replaced
 * @property {import('./app-packages.mjs').Platform} platform
 * @property {boolean} [links] creates hard links instead of copies, for tests
 */

export const sbomName = 'sbom.cdx.json';
const healthCheck = 'deploy/compose/healthcheck.mjs';

/**
 * Writes the content of an image to its working folder: compiled files, packages, the health check, and the list of
 * packages (CycloneDX). deploy/Dockerfile and the boot test use this function.
 * @param {ImageOptions} options
 */
export async function assembleImage({ root, app, output, platform, links = false }) {
  const { files, packages } = filesOfApp(root, app);
  const { manifest, lock } = imagePackages(root, { app, packages, platform });
  rmSync(output, { recursive: true, force: true });
  const put = (/** @type {string} */ path) => putFile(join(root, path), join(output, path), links);
  for (const path of [...files, healthCheck]) put(path);
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue;
    if (!existsSync(join(root, path))) {
      if (entry.optional) continue;
      throw new Error(`${path} is missing. Install the packages: npm ci`);
    }
    putPackage(root, output, path, { platform, links });
  }
  linkLibraries(output, files);
  writeFileSync(join(output, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeSbom(join(output, sbomName), { manifest, lock });
}

/**
 * @param {string} root
 * @param {string} output
 * @param {string} path of the package
 * @param {{ platform: import('./app-packages.mjs').Platform, links: boolean }} options
 */
function putPackage(root, output, path, { platform, links }) {
  const visit = (/** @type {string} */ below) => {
    for (const entry of readdirSync(join(root, path, below), { withFileTypes: true })) {
      const name = below ? `${below}/${entry.name}` : entry.name;
      if (!isNeeded(name, entry.isDirectory(), platform)) continue;
      if (entry.isDirectory()) visit(name);
      else if (entry.isFile()) putFile(join(root, path, name), join(output, path, name), links);
    }
  };
  visit('');
}

/** Creates the same links that npm creates for workspaces. @param {string} output @param {Set<string>} files */
function linkLibraries(output, files) {
  for (const file of files) {
    const [, folder] = /^(libs\/.*)\/package\.json$/.exec(file) ?? [];
    if (!folder) continue;
    const { name } = JSON.parse(readFileSync(join(output, file), 'utf8'));
    const link = join(output, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(output, folder)), link);
  }
}

/** @param {string} from @param {string} to @param {boolean} links */
function putFile(from, to, links) {
  mkdirSync(dirname(to), { recursive: true });
  if (links) linkSync(from, to);
  else copyFileSync(from, to);
}
