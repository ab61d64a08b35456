import { openRoute, type OwnRoute } from '../routes/gateway-route';

export const webRoutes: readonly OwnRoute[] = [
  openRoute('web', 'readAsset', '/assets/{file}', 'Read a module or style sheet of a page'),
  openRoute(
    'web',
    'readEmbedScript',
    '/embed.js',
    'Read the script that shows a checkout in the page of a shop',
  ),
];
