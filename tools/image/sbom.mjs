import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lastLines, runCommand } from '../local/run-command.mjs';

/**
 * Writes the packages of an image as a CycloneDX document, with npm's own command. The same packages produce the same
 * bytes, so that an image changes only if its content changes.
 * @param {string} path of the document
 * @param {{ manifest: any, lock: any }} installation
 */
export async function writeSbom(path, { manifest, lock }) {
  const place = mkdtempSync(join(tmpdir(), 'tollbridge-sbom-'));
  try {
    // npm uses the folder name as the name of the application.
    const folder = join(place, basename(manifest.name));
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    const { code, output: text } = await runNpm(args, folder);
    if (code !== 0) throw new Error(`npm sbom failed:\n${lastLines(text)}`);
    writeFileSync(path, `${JSON.stringify(stable(JSON.parse(text)), null, 2)}\n`);
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** @param {string[]} args @param {string} cwd */
function runNpm(args, cwd) {
  const npm = process.env.npm_execpath;
  const env = { ...process.env, npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };
  return npm
    ? runCommand(process.execPath, [npm, ...args], { cwd, env })
    : runCommand('npm', args, { cwd, env });
}

/** Removes the two optional fields that differ in each run. @param {any} document */
function stable({ serialNumber: _serialNumber, ...document }) {
  const { timestamp: _timestamp, ...metadata } = document.metadata;
  return { ...document, metadata };
}
