// Creates the tarball of the package tollbridge, the command line: node tools/pack-cli.mjs [folder]
// It contains one bundled file without dependencies, and the licences of the bundled packages.
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repository as root } from './local/directory.mjs';
import { sourceOf } from './local/projects.cjs';
import { packPackage, readJson } from './pack/pack-package.mjs';

const library = join(root, 'libs/cli');

// Apps with settings that a deployment sets. `doctor --env-file` runs their parsers.
const apps = ['gateway', 'merchant', 'nanopay', 'pay-orders', 'service-api', 'stream', 'tee', 'tx-engine'];
const [entry, configs] = ['packed', 'app-configs'].map((name) => join(library, `src/${name}.mjs`));

/** Modules that exist only in the package. @param {Record<string, string>} texts by path */
const generated = (texts) => ({
  name: 'generated',
  resolveId: (/** @type {string} */ request) => (request in texts ? request : undefined),
  load: (/** @type {string} */ id) => texts[id],
});

/** Bundles libraries of this repository from their sources. */
const ownLibraries = {
  name: 'own-libraries',
  resolveId: (/** @type {string} */ request) =>
    request.startsWith('@tollbridge/') ? sourceOf(request) : undefined,
};

/**
 * The settings parsers of the apps. Other modules of the apps have no side effects when loaded, so they are omitted.
 * The parsers are a string in the file that is compiled when needed. The start of the program therefore does not parse
 * them.
 */
async function appConfigs() {
  const members = apps.map((app) => `'${app}': () => import('${root}/apps/${app}/src/config')`);
  const text = `export const configs = { ${members.join()} };`;
  const { rolldown } = await import('rolldown');
  const built = await rolldown({
    input: configs,
    cwd: root,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    plugins: [generated({ [configs]: text }), ownLibraries],
    treeshake: { moduleSideEffects: false },
    logLevel: 'silent',
  });
  const { output } = await built.generate({
    format: 'cjs',
    codeSplitting: false,
    minify: true,
    comments: false,
  });
  await built.close();
  const used = Object.entries(output[0].modules).filter(([, { renderedLength }]) => renderedLength > 0);
  const source = `import { createRequire } from 'node:module';
const text = ${JSON.stringify(output[0].code)};
export function loadConfigs() {
  const module = { exports: {} };
  // It requires modules of Node.js only, which every path resolves.
  new Function('module', 'exports', 'require', text)(module, module.exports, createRequire(process.execPath));
  return module.exports.configs;
}`;
  return { source, moduleIds: used.map(([id]) => id) };
}

/** @returns {Promise<string[]>} the registry packages that the file contains */
async function bundle(target) {
  const { rolldown } = await import('rolldown');
  const parsers = await appConfigs();
  const program = `import { main } from './main';
import { loadConfigs } from ${JSON.stringify(configs)};
main((app) => loadConfigs()[app]());`;
  const built = await rolldown({
    input: entry,
    cwd: root,
    platform: 'node',
    tsconfig: join(root, 'tsconfig.json'),
    plugins: [generated({ [entry]: program, [configs]: parsers.source }), ownLibraries],
  });
  const { output } = await built.generate({
    format: 'cjs',
    // Modules that a command loads later are in the same file, and run when needed.
    codeSplitting: false,
    banner: '#!/usr/bin/env node',
    minify: true,
    comments: false,
  });
  const [main, ...others] = output;
  if (others.length > 0) throw new Error(`More than one file: ${others.map(({ fileName }) => fileName)}`);
  await writeFile(target, main.code);
  await chmod(target, 0o755);
  await built.close();
  return [...new Set([...main.moduleIds, ...parsers.moduleIds].flatMap((id) => packageOf(id) ?? []))].sort();
}

/** Returns the package folder of a module. @param {string} id */
function packageOf(id) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];
}

/** @param {string[]} folders */
async function licences(folders) {
  const texts = folders.map(async (folder) => {
    const { name, version, license } = await readJson(join(folder, 'package.json'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'].find((each) =>
      existsSync(join(folder, each)),
    );
    const text = file ? await readFile(join(folder, file), 'utf8') : `Licence: ${license}`;
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

async function manifest() {
  const [source, repository] = await Promise.all(
    [library, root].map((path) => readJson(join(path, 'package.json'))),
  );
  const { version, description, license } = source;
  return {
    name: 'tollbridge',
    version,
    description,
    license,
    engines: repository.engines,
    bin: { tollbridge: 'tollbridge.js' },
    files: ['tollbridge.js', 'LICENSES-OF-PACKAGES.txt'],
  };
}

await packPackage(library, async (folder) => {
  const packages = await bundle(join(folder, 'tollbridge.js'));
  await writeFile(join(folder, 'LICENSES-OF-PACKAGES.txt'), await licences(packages));
  if (process.env.PACK_CLI_LIST)
    process.stderr.write(`${packages.map((it) => relative(root, it)).join('\n')}\n`);
  return manifest();
});
