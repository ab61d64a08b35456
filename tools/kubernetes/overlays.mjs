import { join } from 'node:path';
import { loadProduct } from '../docs/product.mjs';
import { Directory, repository } from '../local/directory.mjs';
import { render } from './kubectl.mjs';
import { nameOf } from './release.mjs';
import { sandboxSecrets } from './sandbox-secret-documents.mjs';

const overlays = join(repository, 'deploy/kubernetes/overlays');

/** The documents that `kubectl apply -k` sends for production: the migrations and the apps. @param {string} [folder] */
export function productionDocuments(folder = join(overlays, 'production')) {
  // Both folders include the namespace and its policies.
  const all = [...render(folder), ...render(join(folder, 'migrations'))];
  return [...new Map(all.map((document) => [nameOf(document), document])).values()];
}

/** The sandbox overlay with the Secrets of sandbox-secrets.mjs. @param {string} directory for the passwords */
export function sandboxDocuments(directory) {
  return [
    ...render(join(overlays, 'sandbox')),
    ...sandboxSecrets(new Directory(directory), loadProduct().apps),
  ];
}
