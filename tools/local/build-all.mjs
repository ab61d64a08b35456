import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { writeGeneratedSources } from '../sdk/generated-sources.mjs';
import { buildProject, isSource } from './compile-project.mjs';
import { withLockFile } from './directory-lock.mjs';
import { repository } from './directory.mjs';
import { languageFiles } from './embed-texts.mjs';
import { filesIn } from './files-in.mjs';
import { Problem } from './problem.mjs';
import { projectFolders } from './projects.cjs';
import { lastLines, runCommand } from './run-command.mjs';
import { guideFiles } from './write-guides.mjs';

const stampOf = (/** @type {string} */ root) => join(root, 'node_modules/.tollbridge-build');
const toolchain = [
  'package-lock.json',
  'tsconfig.base.json',
  '.swcrc',
  'tools/local/compile-project.mjs',
  'tools/local/build-web.mjs',
  'tools/local/embed-texts.mjs',
  'tools/local/built-web.mjs',
  'tools/local/copy-fonts.mjs',
  'tools/local/write-guides.mjs',
];
// swc uses its own threads, so more projects in parallel would only wait.
const projectsAtOnce = 4;

const nxEnvironment = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', FORCE_COLOR: '0' };
const nxProgram = join(repository, 'node_modules/.bin/nx');

/** Writes the project graph for the lint rule about imports. */
export async function readProjectGraph() {
  const options = { cwd: repository, env: nxEnvironment };
  const { code, output } = await runCommand(nxProgram, ['show', 'projects'], options);
  if (code !== 0)
    throw new Problem('The projects cannot be read; the last lines say why:', {
      details: lastLines(output, 40),
    });
}

/**
 * Compiles the projects with changed source files. Waits if another process builds the same checkout.
 * @param {(text: string) => void} note @param {string} [root] of the checkout
 */
export function buildAll(note, root = repository) {
  const onWait = (/** @type {number} */ holder) => note(`waiting for process ${holder}, which builds`);
  return withLockFile(join(root, 'node_modules/.tollbridge-build.lock'), onWait, () =>
    buildChanged(note, root),
  );
}

/** @param {(text: string) => void} note @param {string} root */
async function buildChanged(note, root) {
  writeGeneratedSources(root);
  const built = readStamp(root);
  const wanted = new Map(projects(root).map((folder) => [relative(root, folder), fingerprint(folder, root)]));
  const changed = [...wanted.keys()].filter(
    (name) => built[name] !== wanted.get(name) || !existsSync(join(root, name, 'dist')),
  );
  if (changed.length === 0) return note('nothing changed');
  const waiting = [...changed];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      note(`${changed.length - waiting.length} of ${changed.length} projects`);
      await buildProject(join(root, name), root).catch(failure);
    }
  };
  await Promise.all(Array.from({ length: projectsAtOnce }, work));
  writeStamp(root, Object.fromEntries(wanted));
  note(`${changed.length} of ${wanted.size} projects`);
}

/** @param {Error} error @returns {never} */
function failure(error) {
  throw new Problem('The build failed; the compiler says why:', { details: lastLines(error.message, 40) });
}

/** A digest that changes with every source file and with the tools that compile them. */
export function buildDigest(root = repository) {
  const fingerprints = projects(root).map((folder) => fingerprint(folder, root));
  return createHash('sha256').update(fingerprints.join()).digest('hex');
}

/** Reads the fingerprints of the projects at the last build. @param {string} root @returns {Record<string, string>} */
function readStamp(root) {
  try {
    return JSON.parse(readFileSync(stampOf(root), 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Written at the end, so that an interrupted build is repeated.
 * @param {string} root
 * @param {Record<string, string>} content
 */
function writeStamp(root, content) {
  const draft = `${stampOf(root)}.new`;
  writeFileSync(draft, JSON.stringify(content));
  renameSync(draft, stampOf(root));
}

/** The folders of all projects. @param {string} root */
const projects = (root) => projectFolders(root).map((folder) => join(root, folder));

/**
 * Hashes the names, sizes and times of the source files. They change with the content, so the files need not be read.
 * @param {string} project
 * @param {string} root
 */
function fingerprint(project, root) {
  const hash = createHash('sha256');
  const configs = ['vite.config.ts', 'vite.embed.config.ts'].map((name) => join(project, name));
  const files = filesIn(join(project, 'src'));
  const guides = guideFiles.map((file) => join(root, 'docs', `${file}.md`));
  const sources = existsSync(configs[0] ?? '')
    ? [...configs, ...guides].filter(existsSync).concat(languageFiles(root), files)
    : files.filter(isSource);
  for (const path of [...toolchain.map((name) => join(root, name)).filter(existsSync), ...sources]) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
