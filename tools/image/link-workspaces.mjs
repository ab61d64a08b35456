// Links the projects of this repository into node_modules, if packages were installed before the sources were copied.
import { join } from 'node:path';
import { repository } from '../local/directory.mjs';
import { linkWorkspaces } from '../local/packages.mjs';

await linkWorkspaces(join(repository, 'node_modules'));
