// Writes the content of an app's image to a folder: node tools/image.mjs --app gateway --output DIR [--platform
// linux/arm64]
import { readPlatform } from './image/app-packages.mjs';
import { assembleImage } from './image/assemble.mjs';
import { appNames } from './local/apps.mjs';
import { repository } from './local/directory.mjs';
import { readOptions, text } from './local/options.mjs';
import { describeError, Problem } from './local/problem.mjs';

const { app, output, platform } = readOptions({ app: text(), output: text(), platform: text() }).values;
try {
  if (!app || !appNames.includes(app) || !output)
    throw new Problem(`Usage: node tools/image.mjs --app ${appNames.join('|')} --output DIR [--platform P]`);
  await assembleImage({ root: repository, app, output, platform: readPlatform(platform) });
} catch (error) {
  console.error(`\n  ${describeError(error)}\n`);
  process.exitCode = 1;
}
