// Writes the digests of the base images into deploy/Dockerfile and docker-compose.yml.
//
// npm run images:pin [-- --check]
//
// With --check it changes nothing and fails if a digest is missing. The pipeline that publishes images uses it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseImages, isDigest, withDigests } from './image/base-images.mjs';
import { repository } from './local/directory.mjs';
import { flag, readOptions, text } from './local/options.mjs';
import { describeError, Problem } from './local/problem.mjs';
import { lastLines, runCommand } from './local/run-command.mjs';

const { values } = readOptions({ check: flag, root: text(repository) });
try {
  const paths = {
    dockerfile: join(values.root, 'deploy/Dockerfile'),
    compose: join(values.root, 'docker-compose.yml'),
  };
  const files = {
    dockerfile: readFileSync(paths.dockerfile, 'utf8'),
    compose: readFileSync(paths.compose, 'utf8'),
  };
  const images = baseImages(files);
  if (values.check) check(images);
  else {
    const digests = new Map();
    for (const { name } of images) digests.set(name, await resolve(name));
    const pinned = withDigests(files, digests);
    writeFileSync(paths.dockerfile, pinned.dockerfile);
    writeFileSync(paths.compose, pinned.compose);
    for (const [name, digest] of digests) console.log(`${name}@${digest}`);
  }
} catch (error) {
  console.error(`\n  ${describeError(error)}\n`);
  process.exitCode = 1;
}

/** @param {import('./image/base-images.mjs').BaseImage[]} images */
function check(images) {
  const loose = images.filter(({ digest }) => !isDigest(digest)).map(({ name }) => name);
  if (loose.length > 0)
    throw new Problem(
      `No digest pins ${loose.join(', ')}. Run npm run images:pin where a registry is reachable.`,
    );
  console.log(`${images.length} base images are pinned`);
}

/** Returns the digest of the manifest list for all platforms. @param {string} name */
async function resolve(name) {
  const args = ['buildx', 'imagetools', 'inspect', name, '--format', '{{.Manifest.Digest}}'];
  const { code, output } = await runCommand('docker', args);
  const digest = output.trim();
  if (code === 0 && isDigest(digest)) return digest;
  throw new Problem(`The digest of ${name} cannot be read; Docker says:`, { details: lastLines(output) });
}
