// Lets a child process of a test run TypeScript of this repository: node -r run-typescript.cjs file.ts
const { transformSync } = require('@swc/core');
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { sourceOf } = require('../../../../tools/local/projects.cjs');

const root = join(__dirname, '../../../..');
const swcrc = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));

Module._extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  module._compile(transformSync(source, { ...swcrc, filename, swcrc: false }).code, filename);
};

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => sourceOf(request) ?? resolve(request, ...rest);
