// Renders the routes that the dashboard calls, with SDK types, to apps/web/src/dashboard/api/generated/routes.ts.

const target = 'apps/web/src/dashboard/api/generated/routes.ts';

/** @param {import('./operations.mjs').SdkOperation[]} operations @returns {Record<string, string>} files by path */
export function renderRoutes(operations) {
  const byPath = new Map();
  for (const operation of operations) {
    const { method, path, isEnveloped } = operation;
    // The dashboard calls no route that wraps its reply in an envelope.
    if (isEnveloped) continue;
    const types = `${method.toLowerCase()}: [${inputType(operation)}, sdk.${upper(operation.name)}Result];`;
    byPath.set(path, [...(byPath.get(path) ?? []), types]);
  }
  const text = `// Generated from docs/openapi.json: node tools/generate.mjs

import type * as sdk from '@tollbridge/sdk';

/** Input and reply of each route. */
export interface Routes {
${[...byPath].map(([path, types]) => `  '${path}': { ${types.join(' ')} };`).join('\n')}
}
`;
  return { [target]: text };
}

function inputType({ name, input, body, described }) {
  if (!input && !body) return 'object';
  const type = `sdk.${upper(name)}Input`;
  return described.body === undefined ? type : `${type}['${described.body}']`;
}

const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
