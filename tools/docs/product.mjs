import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceOf } from '../local/projects.cjs';
import { writeGeneratedSources } from '../sdk/generated-sources.mjs';

export const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(import.meta.url);

/**
 * The operations, events and settings that the source files declare. They are read from the source files, so that the
 * documentation never describes an outdated build.
 */
export function loadProduct() {
  return (product ??= read());
}

let product;

function read() {
  writeGeneratedSources();
  takeSources();
  require('reflect-metadata');
  const bus = require('@tollbridge/rpc');
  const api = require('@tollbridge/contracts');
  const { features, internalFeatures, allEvents, channels, eventStreams } = api;
  const gateway = require('@tollbridge/app-gateway');
  const { migrationSettings, provisioningSettings } = require('@tollbridge/bootstrap');
  const { loadConfig } = require('@tollbridge/config');
  const { chains } = require('@tollbridge/chains');
  const events = Object.values(allEvents);
  return {
    bus,
    api,
    features,
    internalFeatures,
    channels,
    chains,
    eventStreams,
    events,
    gateway,
    migrationSettings,
    provisioningSettings,
    loadConfig,
    apps: loadApps(),
  };
}

/** Every app that has settings: its name, its settings, and the variable of its migrations if it has any. */
function loadApps() {
  const names = readdirSync(join(repository, 'apps')).sort();
  return names.flatMap((name) => {
    const source = join(repository, 'apps', name, 'src/index.ts');
    const settings = existsSync(source) ? require(`@tollbridge/app-${name}`).settings : undefined;
    return settings ? [{ name, settings, migrationVariable: migrationVariableOf(name) }] : [];
  });
}

/** @param {string} app */
function migrationVariableOf(app) {
  const path = join(repository, 'apps', app, 'src/migrate.ts');
  return existsSync(path) ? /urlVariable: '(\w+)'/.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
}

/** Lets `require` read TypeScript and resolve `@tollbridge/...` as tsconfig.base.json defines it. */
function takeSources() {
  const { transformFileSync } = require('@swc/core');
  const resolveAsBefore = Module._resolveFilename;
  Module._resolveFilename = function (request, ...rest) {
    return sourceOf(request) ?? resolveAsBefore.call(this, request, ...rest);
  };
  const options = { configFile: join(repository, '.swcrc'), cwd: repository };
  Module._extensions['.ts'] = (module, path) => module._compile(transformFileSync(path, options).code, path);
}
