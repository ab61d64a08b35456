import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { repository } from '../local/directory.mjs';

export const imagesPath = join(repository, 'deploy/kubernetes/overlays/production/images/kustomization.yaml');

/**
 * Returns the list of images with the names and digests of a registry.
 * @param {string} path of the list
 * @param {string} registry including the path of the images, such as `registry.example.com/tollbridge`
 * @param {(image: string) => string} digestOf for an image such as `registry.example.com/tollbridge/gateway`
 * @returns {string} its new content
 */
export function pinnedImages(path, registry, digestOf) {
  const document = parseDocument(readFileSync(path, 'utf8'));
  const images = /** @type {import('yaml').YAMLSeq<import('yaml').YAMLMap>} */ (document.get('images'));
  for (const image of images.items) {
    const newName = `${registry}/${String(image.get('name')).replace(/^tollbridge\//, '')}`;
    const digest = digestOf(newName);
    if (!/^sha256:[0-9a-f]{64}$/.test(digest))
      throw new Error(`${newName}: ${digest || 'the reply'} is not a digest`);
    image.set('newName', newName);
    image.set('digest', digest);
  }
  return document.toString({ lineWidth: 0 });
}
