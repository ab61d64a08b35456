// Links the projects of this repository into node_modules, where packages were installed before the sources were there.
import { join } from 'node:path';
import { repository } from '../local/directory.mjs';
import { linkWorkspaces } from '../local/packages.mjs';

await linkWorkspaces(join(repository, 'node_modules'));
