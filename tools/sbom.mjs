// Writes the packages of each app's image as CycloneDX documents: npm run sbom [-- --output DIR] [--platform
// linux/arm64]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { filesOfApp } from './image/app-files.mjs';
import { imagePackages, readPlatform } from './image/app-packages.mjs';
import { productionApps } from './image/production-apps.mjs';
import { writeSbom } from './image/sbom.mjs';
import { buildAll } from './local/build-all.mjs';
import { repository } from './local/directory.mjs';
import { readOptions, text } from './local/options.mjs';
import { describeError } from './local/problem.mjs';

const { values } = readOptions({ output: text('sbom'), platform: text() });
try {
  const platform = readPlatform(values.platform);
  await buildAll(() => undefined);
  mkdirSync(values.output, { recursive: true });
  for (const app of productionApps) {
    const { packages } = filesOfApp(repository, app);
    const path = join(values.output, `${app}.cdx.json`);
    await writeSbom(path, imagePackages(repository, { app, packages, platform }));
    console.log(path);
  }
} catch (error) {
  console.error(`\n  ${describeError(error)}\n`);
  process.exitCode = 1;
}
