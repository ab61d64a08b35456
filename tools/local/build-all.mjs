import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './directory.mjs';
import { filesIn } from './files-in.mjs';
import { Problem } from './problem.mjs';
import { lastLines, runCommand } from './run-command.mjs';

const stamp = join(repository, 'node_modules/.tollbridge-build');
const toolchain = ['nx.json', 'package-lock.json', 'tsconfig.base.json', '.swcrc', 'tools/build.mjs'];

const nxEnvironment = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', FORCE_COLOR: '0' };
const nxProgram = join(repository, 'node_modules/.bin/nx');

/** Makes known which project needs which, for the rule that says who may import whom. */
export async function readProjectGraph() {
  const options = { cwd: repository, env: nxEnvironment };
  const { code, output } = await runCommand(nxProgram, ['show', 'projects'], options);
  if (code !== 0)
    throw new Problem('The projects cannot be read; the last lines say why:', {
      details: lastLines(output, 40),
    });
}

/** Builds what changed; nx would find out by itself that nothing did, but takes seconds. @param {(text: string) => void} note */
export async function buildAll(note) {
  const wanted = fingerprint();
  const known = readStamp();
  if (known.fingerprint === wanted && known.results?.every(existsSync)) return note('nothing changed');
  note('building');
  const args = ['run-many', '-t', 'build', '--outputStyle=static'];
  const { code, output } = await runCommand(nxProgram, args, { cwd: repository, env: nxEnvironment });
  if (code !== 0)
    throw new Problem('The build failed; its last lines say why:', { details: lastLines(output, 40) });
  const results = projects()
    .map((folder) => join(folder, 'dist'))
    .filter(existsSync);
  writeFileSync(stamp, JSON.stringify({ fingerprint: wanted, results }));
  note(`${results.length} projects`);
}

function readStamp() {
  return existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : {};
}

function projects() {
  return ['libs', 'apps'].flatMap((kind) => {
    const folder = join(repository, kind);
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  });
}

/** Changes whenever a source changes: names, sizes and times tell that without reading the files. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const path of [...toolchain.map((name) => join(repository, name)), ...projects().flatMap(filesIn)]) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
