import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { repository } from '../local/directory.mjs';
import { sourceOf } from '../local/projects.cjs';

/** A module specifier after `from`, `import` or `require`, also in types. */
const specifierPattern = /(\b(?:from|import|require) *\(? *)(['"])([^'"\n]+)\2/g;

/**
 * Compiles only the modules that the entries import, to JavaScript and declarations. Does not use the TypeScript
 * compiler, which `npm start` does not install. Modules of this repository are imported by relative paths.
 * @param {{ entries: string[], sourceRoot: string, outDir: string, type: 'module' | 'commonjs' }} options `outDir`
 * receives the files with their paths relative to `sourceRoot`
 * @throws {Error} lists each export with a type that needs the compiler
 */
export async function compileLibrary({ entries, sourceRoot, outDir, type }) {
  // Imported here and not at the top of the file, because they may just have been installed.
  const [{ transform }, { isolatedDeclaration }] = await Promise.all([
    import('@swc/core'),
    import('rolldown/experimental'),
  ]);
  const configFile = join(repository, '.swcrc');
  const module = { type: type === 'module' ? 'es6' : 'commonjs', exportInteropAnnotation: true };
  const compile = async (/** @type {string} */ file) => {
    const source = await readFile(file, 'utf8');
    const [{ code }, declared] = await Promise.all([
      transform(source, {
        filename: file,
        configFile,
        module: /** @type {any} */ (module),
        sourceMaps: false,
      }),
      isolatedDeclaration(file, source, { sourcemap: false }),
    ]);
    if (declared.errors.length > 0)
      throw new Error(
        `${relative(repository, file)}: ${declared.errors.map(({ message }) => message).join('; ')}`,
      );
    const target = join(outDir, relative(sourceRoot, file)).replace(/\.ts$/, '');
    await mkdir(dirname(target), { recursive: true });
    await writeFile(`${target}.js`, withFileNames(code, file));
    await writeFile(`${target}.d.ts`, withFileNames(declared.code, file));
    return importsOf(source, file);
  };
  const waiting = [...entries];
  for (const file of waiting)
    for (const imported of await compile(file)) if (!waiting.includes(imported)) waiting.push(imported);
}

/** @param {string} source @param {string} file @returns {string[]} the modules of this repository that it imports */
const importsOf = (source, file) =>
  [...source.matchAll(specifierPattern)].flatMap(([, , , request]) => moduleOf(request, file) ?? []);

/** Adds file names, because Node.js needs them in imports of ES modules. @param {string} text @param {string} file */
function withFileNames(text, file) {
  return text.replace(specifierPattern, (whole, before, quote, request) => {
    const imported = moduleOf(request, file);
    if (!imported) return whole;
    const path = relative(dirname(file), imported).replace(/\.ts$/, '.js');
    return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
}

/**
 * @param {string} request
 * @param {string} file the module that contains the request
 * @returns {string | undefined} undefined for other packages
 */
function moduleOf(request, file) {
  if (!request.startsWith('.')) return sourceOf(request);
  const path = join(dirname(file), request);
  return [`${path}.ts`, join(path, 'index.ts')].find(existsSync);
}
