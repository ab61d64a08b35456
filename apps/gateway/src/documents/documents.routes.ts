import { errorsPath } from '../http/replies';
import { openRoute, type OwnRoute } from '../routes/gateway-route';

/** The parts of the page at `/docs`, which are served below it. */
export const assetNames = [
  'swagger-ui.css',
  'page.css',
  'swagger-ui-bundle.js',
  'page.js',
  'icon.png',
] as const;
export type AssetName = (typeof assetNames)[number];

export const assetPath = <N extends AssetName>(name: N) => `/docs/${name}` as const;

export const documentRoutes: readonly OwnRoute[] = [
  openRoute('documents', 'readOpenApi', '/openapi.json', 'Read the OpenAPI document'),
  openRoute('documents', 'readAsyncApi', '/asyncapi.json', 'Read the AsyncAPI document'),
  openRoute('documents', 'openDocs', '/docs', 'Open the API reference'),
  openRoute('documents', 'openErrors', errorsPath, 'Open the reference of error codes'),
  ...assetNames.map((name) =>
    openRoute('documents', `read ${name}`, assetPath(name), 'Read a part of the page'),
  ),
];
