import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './directory.mjs';
import { Problem } from './problem.mjs';
import { lastLines, runCommand } from './run-command.mjs';

/** The version of the images (deploy/Dockerfile). */
export const node24Version = '24.21.0';

/**
 * The hashes that the registry publishes for `node-linux-<cpu>`. A different download is rejected.
 * @type {Record<string, string>}
 */
const integrities = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

/**
 * Returns the program of Node.js 24 from an npm package, which is downloaded once.
 * @param {(text: string) => void} note
 * @param {{ cpu?: string, cache?: string, integrity?: string }} [options] for tests
 * @returns {Promise<string>} its path
 */
export async function ensureNode24(note, options = {}) {
  const { cpu = process.arch, cache = join(repository, 'node_modules/.cache/node') } = options;
  const { integrity = integrities[cpu] } = options;
  if (process.platform !== 'linux' || !integrity)
    throw new Problem(`npm has no Node.js ${node24Version} for ${process.platform} on ${cpu}. Use Linux.`);
  const folder = join(cache, `${node24Version}-${cpu}`);
  const program = join(folder, 'bin/node');
  if (existsSync(program)) return program;
  note(`downloading Node.js ${node24Version}`);
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'draft-'));
  try {
    await download(`node-linux-${cpu}@${node24Version}`, draft, integrity);
    // Another process may have created the folder in the meantime.
    if (!existsSync(folder)) renameSync(join(draft, 'package'), folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return program;
}

/** @param {string} name of the package, with its version @param {string} folder @param {string} integrity */
async function download(name, folder, integrity) {
  const npm = process.env.npm_execpath;
  const args = ['pack', name, '--silent', '--pack-destination', folder];
  const { code, output } = npm
    ? await runCommand(process.execPath, [npm, ...args])
    : await runCommand('npm', args);
  const file = readdirSync(folder).find((it) => it.endsWith('.tgz'));
  if (code !== 0 || !file)
    throw new Problem(`${name} could not be downloaded; npm says:`, { details: lastLines(output) });
  const digest = createHash('sha512')
    .update(readFileSync(join(folder, file)))
    .digest('base64');
  if (`sha512-${digest}` !== integrity)
    throw new Problem(`${name} is not the package that was expected: its digest is sha512-${digest}.`);
  const unpacked = await runCommand('tar', ['-xzf', join(folder, file), '-C', folder, 'package/bin/node']);
  if (unpacked.code !== 0) throw new Problem(`${file} cannot be unpacked:`, { details: unpacked.output });
}
