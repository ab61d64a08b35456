// Makes the tarball of @tollbridge/sdk that programs install: node tools/pack-sdk.mjs [folder]
// ES modules and CommonJS with their types, from the same sources; no dependency.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensurePackages } from './local/packages.mjs';

const run = promisify(execFile);
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const library = join(root, 'libs/sdk');
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

const formats = [
  { name: 'esm', type: 'module', module: 'ES2022', moduleResolution: 'Bundler' },
  { name: 'cjs', type: 'commonjs', module: 'CommonJS', moduleResolution: 'Node10' },
];

/** Only what the entry imports is compiled: no tests. */
async function compile(folder, { name, type, module, moduleResolution }) {
  const settings = join(folder, `tsconfig.${name}.json`);
  const outDir = join(folder, 'dist', name);
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    // The type check of the repository has checked it.
    noCheck: true,
    incremental: false,
    target: 'ES2022',
    module,
    moduleResolution,
    ...(moduleResolution === 'Node10' && { ignoreDeprecations: '5.0' }),
    rootDir: join(library, 'src'),
    outDir,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const files = [join(library, 'src/index.ts')];
  await writeFile(
    settings,
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files }),
  );
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', settings]);
  await rm(settings);
  await writeFile(join(outDir, 'package.json'), `${JSON.stringify({ type })}\n`);
  for (const file of await readdir(outDir, { recursive: true }))
    if (/\.(js|d\.ts)$/.test(file)) await nameFiles(join(outDir, file));
}

/** Node.js finds ES modules by the whole names of their files. */
async function nameFiles(path) {
  const text = await readFile(path, 'utf8');
  const named = text.replace(/((?:from|import\(|require\() ?)(['"])(\.{1,2}\/[\w./-]+)\2/g, '$1$2$3.js$2');
  if (named !== text) await writeFile(path, named);
}

async function manifest() {
  const [source, repository] = await Promise.all(
    [library, root].map((path) => readJson(join(path, 'package.json'))),
  );
  const { name, version, description, license } = source;
  const entry = (format) => ({ types: `./dist/${format}/index.d.ts`, default: `./dist/${format}/index.js` });
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: repository.engines,
    sideEffects: false,
    main: './dist/cjs/index.js',
    module: './dist/esm/index.js',
    types: './dist/cjs/index.d.ts',
    files: ['dist'],
    exports: { '.': { import: entry('esm'), require: entry('cjs') } },
  };
}

// The compiler is not among the packages of `npm start`.
if (!existsSync(join(root, 'node_modules/typescript'))) {
  process.stderr.write('Installing the packages for development...\n');
  await ensurePackages(() => undefined);
}
const destination = resolve(process.argv[2] ?? join(root, 'dist'));
const folder = await mkdtemp(join(tmpdir(), 'sdk-'));
try {
  await Promise.all(formats.map((format) => compile(folder, format)));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  await cp(join(library, 'README.md'), join(folder, 'README.md'));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await mkdir(destination, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', destination], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout);
  process.stdout.write(`${join(destination, filename)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
