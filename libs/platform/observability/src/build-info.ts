import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Identifies the running build. */
export interface BuildInfo {
  version: string;
  /** Commit of the image (`TOLLBRIDGE_COMMIT`); `unknown` outside of images. */
  commit: string;
  node: string;
}

const commitForm = /^[0-9a-f]{7,64}$/;

export function buildInfo(env: NodeJS.ProcessEnv = process.env): BuildInfo {
  const commit = env['TOLLBRIDGE_COMMIT'] ?? '';
  return {
    version: packageVersion(__dirname),
    commit: commitForm.test(commit) ? commit : 'unknown',
    node: process.versions.node,
  };
}

/** Returns the version of the nearest `package.json`. All packages of the product have the same version. */
function packageVersion(folder: string): string {
  const { version } = readPackage(join(folder, 'package.json'));
  if (typeof version === 'string') return version;
  const parent = dirname(folder);
  return parent === folder ? 'unknown' : packageVersion(parent);
}

function readPackage(file: string): { version?: unknown } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown };
  } catch {
    return {};
  }
}
