// Writes the content of an app's image to a folder: node tools/image.mjs --app gateway --output DIR [--platform linux/arm64]
import { parseArgs } from 'node:util';
import { platforms } from './image/app-packages.mjs';
import { assembleImage } from './image/assemble.mjs';
import { repository } from './local/directory.mjs';
import { describeError, Problem } from './local/problem.mjs';

try {
  const { app, output, platform } = parseArgs({
    options: {
      app: { type: 'string' },
      output: { type: 'string' },
      platform: { type: 'string', default: `linux/${process.arch === 'arm64' ? 'arm64' : 'amd64'}` },
    },
  }).values;
  const cpu = platforms[platform];
  if (!app || !output || !cpu)
    throw new Problem(
      `Usage: node tools/image.mjs --app APP --output DIR [--platform ${Object.keys(platforms).join('|')}]`,
    );
  await assembleImage({ root: repository, app, output, platform: { os: 'linux', cpu } });
} catch (error) {
  console.error(`\n  ${describeError(error)}\n`);
  process.exitCode = 1;
}
