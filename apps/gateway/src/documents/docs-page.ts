import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assetPath, type AssetName } from './documents.routes';

export interface Asset {
  type: string;
  body: string | Buffer;
}

const style = `
body { margin: 0; background: #fff; }
header { background: #1b2a41; color: #fff; font: 15px/1.4 system-ui, sans-serif; }
header div { display: flex; flex-wrap: wrap; gap: 4px 24px; align-items: baseline; max-width: 1180px; margin: auto; padding: 14px 20px; }
header strong { font-size: 18px; margin-right: auto; }
header a { color: #cfe0ff; }
header strong a { color: #fff; text-decoration: none; }
header input { width: 240px; max-width: 100%; padding: 6px 10px; border: 1px solid #6b7d99; border-radius: 8px; background: #fff; color: #131c2b; font: inherit; }
noscript { display: block; max-width: 1180px; margin: 40px auto; padding: 0 20px; font: 16px/1.5 system-ui, sans-serif; }
.swagger-ui .wrapper { max-width: 1220px; }
.swagger-ui .info { margin: 28px 0 20px; }
.swagger-ui .info p { max-width: 90ch; margin: 10px 0; font-size: 15px; line-height: 1.5; }
.swagger-ui .info__license { display: none; }
.swagger-ui .opblock-tag { font-size: 20px; }
/* These controls have one choice only, or serve generated clients. */
.swagger-ui .schemes-server-container, .swagger-ui .response-controls .response-control-media-type,
.swagger-ui .content-type-wrapper, .swagger-ui .response-col_links { display: none; }
.swagger-ui .responses-table .response-col_description { width: 100%; }
.swagger-ui .response-col_description .renderedMarkdown p { margin: 4px 0 8px; }
.swagger-ui code { color: #0b4f8a !important; }
.swagger-ui .highlight-code code, .swagger-ui .microlight code { color: inherit !important; }
`;

const script = `
// The viewer's own parser and resolver read the whole document as YAML, and again for each operation: seconds each.
function resolve(spec, value, open = []) {
  if (Array.isArray(value)) return value.map((each) => resolve(spec, each, open));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: ref, ...beside } = value;
  // A schema that contains itself stays a reference.
  if (typeof ref !== 'string' || open.includes(ref))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(spec, each, open)]));
  const target = ref.slice(2).split('/').reduce((part, name) => part[name], spec);
  return { $$ref: location.origin + location.pathname + ref, ...resolve(spec, target, [...open, ref]), ...beside };
}
const fast = () => ({
  fn: {
    resolveSubtree: (spec, path) => {
      const part = path.reduce((value, name) => value?.[name], spec);
      return Promise.resolve({ spec: resolve(spec, part), errors: [] });
    },
  },
  statePlugins: {
    spec: { wrapActions: { parseToJson: (_, system) => (text) => system.specActions.updateJsonSpec(JSON.parse(text)) } },
  },
});
const status = document.getElementById('api');
fetch('/openapi.json')
  .then((reply) => (reply.ok ? reply.json() : Promise.reject(new Error('status ' + reply.status))))
  .then((spec) => {
    // Calls go to the origin of this page.
    spec.servers = [{ url: location.origin }];
    SwaggerUIBundle({ spec, dom_id: '#api', deepLinking: true, docExpansion: 'list', filter: true, defaultModelsExpandDepth: 0,
      plugins: [fast], defaultModelExpandDepth: 3, displayRequestDuration: true, tryItOutEnabled: true, validatorUrl: null,
      syntaxHighlight: { theme: 'idea' } });
  })
  .catch((error) => { status.textContent = 'The document could not be loaded: ' + error.message + '. Reload to try again.'; });
`;

// The viewer sets inline styles and draws icons from data: URLs; everything else is from this server.
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Everything that the page needs comes from this server, so that it works without internet access. */
export const assets: Readonly<Record<AssetName, Asset>> = {
  'swagger-ui.css': viewerAsset('swagger-ui.css', 'text/css; charset=utf-8'),
  'page.css': { type: 'text/css; charset=utf-8', body: style },
  'swagger-ui-bundle.js': viewerAsset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  'page.js': { type: 'text/javascript; charset=utf-8', body: script },
  'icon.png': viewerAsset('favicon-32x32.png', 'image/png'),
};

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tollbridge API</title>
<link rel="stylesheet" href="${urlOf('swagger-ui.css')}">
<link rel="stylesheet" href="${urlOf('page.css')}">
<link rel="icon" href="${urlOf('icon.png')}">
</head>
<body>
<header><div><strong><a href="/">Tollbridge API</a></strong> <form action="/guides" role="search"><input name="q" type="search" aria-label="Search guides and API" placeholder="Search guides and API" maxlength="100" required></form> <a href="/guides">guides</a> <a href="/openapi.json">openapi.json</a> <a href="/asyncapi.json">asyncapi.json</a> <a href="/docs/errors">errors</a> <a href="/health/services">health</a></div></header>
<main id="api"></main>
<noscript>This page needs JavaScript. The document is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="${urlOf('swagger-ui-bundle.js')}"></script>
<script src="${urlOf('page.js')}"></script>
</body>
</html>
`;

/** The URL contains a hash of the content, so that browsers may cache it for ever. */
function urlOf(name: AssetName): string {
  const hash = createHash('sha256').update(assets[name].body).digest('hex');
  return `${assetPath(name)}?${hash.slice(0, 12)}`;
}

function viewerAsset(name: string, type: string): Asset {
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  return { type, body: readFileSync(join(folder, name)) };
}
