// Generates the sources that git ignores, in every build. The inputs are docs/openapi.json, docs/asyncapi.json and
// libs/sdk/operations.json. It needs no packages, so a checkout needs no other step.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderCli } from '../cli/render-cli.mjs';
import { operationsOf } from './operations.mjs';
import { renderRoutes } from './render-routes.mjs';
import { renderSdk } from './render-sdk.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The inputs of the sources, by path from the root. */
export const descriptionFile = 'libs/sdk/operations.json';
const inputs = [descriptionFile, 'docs/openapi.json', 'docs/asyncapi.json'];

/**
 * Writes only files that differ, so that a build compiles only changed files.
 * @param {string} [root] the checkout; if it has no description of the API, nothing is written
 */
export function writeGeneratedSources(root = repository) {
  if (!existsSync(join(root, descriptionFile))) return;
  for (const [path, text] of Object.entries(generatedSources(root))) {
    const file = join(root, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    // A rename is atomic. Two processes may build at the same time, and neither may read an incomplete file.
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  }
}

/** @param {string} root @returns {Record<string, string>} content by path from the root */
function generatedSources(root) {
  const [description, document, asyncApi] = inputs.map((path) =>
    JSON.parse(readFileSync(join(root, path), 'utf8')),
  );
  const operations = operationsOf(description, document);
  return {
    ...renderSdk(description, operations, { document, asyncApi }),
    ...renderCli(description, operations, document),
    ...renderRoutes(operations),
  };
}
