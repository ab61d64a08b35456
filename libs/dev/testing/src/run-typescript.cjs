// Runs TypeScript of this repository in a child process of a test: node -r run-typescript.cjs file.ts
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { sourceOf } = require('../../../../tools/local/projects.cjs');

const root = join(__dirname, '../../../..');
const settings = readFileSync(join(root, '.swcrc'), 'utf8');

// Each process loads hundreds of files, and most processes start the same app. They share the compiled files.
const cache = join(root, 'node_modules/.cache/tollbridge-typescript');
mkdirSync(cache, { recursive: true });

Module._extensions['.ts'] = (module, filename) => module._compile(compiled(filename), filename);

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256').update(`${settings}\0${filename}\0${source}`).digest('hex');
  const file = join(cache, `${key}.js`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Loaded only on demand.
    const { transformSync } = require('@swc/core');
    const { code } = transformSync(source, { ...JSON.parse(settings), filename, swcrc: false });
    // A rename is atomic, and other processes may read the file.
    writeFileSync(`${file}.${process.pid}`, code);
    renameSync(`${file}.${process.pid}`, file);
    return code;
  }
}

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => sourceOf(request) ?? resolve(request, ...rest);
