// Prints the Secrets of the sandbox overlay: node tools/kubernetes/sandbox-secrets.mjs | kubectl apply -f -
import { join } from 'node:path';
import { stringify } from 'yaml';
import { loadProduct } from '../docs/product.mjs';
import { defaultDirectory, Directory } from '../local/directory.mjs';
import { sandboxSecrets } from './sandbox-secret-documents.mjs';

const { apps } = loadProduct();
const documents = sandboxSecrets(new Directory(join(defaultDirectory, 'kubernetes')), apps);
process.stdout.write(documents.map((document) => stringify(document)).join('---\n'));
