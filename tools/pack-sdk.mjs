// Creates the tarball of @tollbridge/sdk that programs install: node tools/pack-sdk.mjs [folder]
// It contains ES modules and CommonJS with their types, from the same sources, and has no dependencies.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './local/directory.mjs';
import { compileLibrary } from './pack/compile-library.mjs';
import { packPackage, readJson } from './pack/pack-package.mjs';

const library = join(repository, 'libs/sdk');
const sourceRoot = join(library, 'src');
const formats = /** @type {const} */ ({ esm: 'module', cjs: 'commonjs' });

async function manifest() {
  const [source, { engines }] = await Promise.all(
    [library, repository].map((path) => readJson(join(path, 'package.json'))),
  );
  const { name, version, description, license } = source;
  const entry = (/** @type {string} */ format) => ({
    types: `./dist/${format}/index.d.ts`,
    default: `./dist/${format}/index.js`,
  });
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    sideEffects: false,
    main: './dist/cjs/index.js',
    module: './dist/esm/index.js',
    types: './dist/cjs/index.d.ts',
    files: ['dist'],
    exports: { '.': { import: entry('esm'), require: entry('cjs') } },
  };
}

await packPackage(library, async (folder) => {
  for (const [format, type] of Object.entries(formats)) {
    const outDir = join(folder, 'dist', format);
    await compileLibrary({ entries: [join(sourceRoot, 'index.ts')], sourceRoot, outDir, type });
    await writeFile(join(outDir, 'package.json'), `${JSON.stringify({ type })}\n`);
  }
  return manifest();
});
