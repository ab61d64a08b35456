// Writes the digests of a release into the production overlay.
//
// node tools/kubernetes/pin-images.mjs REGISTRY TAG
//
// It requests the digests from the registry with docker (buildx), which must be logged in there.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { runTypedCommand } from '../local/command.mjs';
import { TypingMistake } from '../local/problem.mjs';
import { imagesPath, pinnedImages } from './pinned-images.mjs';

const usage = 'Usage: node tools/kubernetes/pin-images.mjs registry.example.com/tollbridge 0.2.0';

await runTypedCommand(usage, () => {
  const [registry, tag] = process.argv.slice(2);
  if (!registry || !tag || process.argv.length > 4) throw new TypingMistake('Name the registry and the tag.');

  /** Returns the digest of the manifest list, which covers amd64 and arm64. @param {string} image */
  const digestOf = (image) =>
    execFileSync(
      'docker',
      ['buildx', 'imagetools', 'inspect', `${image}:${tag}`, '--format', '{{.Manifest.Digest}}'],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    ).trim();

  writeFileSync(imagesPath, pinnedImages(imagesPath, registry, digestOf));
  process.stdout.write(`${imagesPath}\n`);
});
