import { openRoute, type OwnRoute } from '../routes/gateway-route';

export const siteRoutes: readonly OwnRoute[] = [
  openRoute('site', 'openLanding', '/', 'Open the landing page, or read the links of the API'),
  openRoute('site', 'listGuides', '/guides', 'Open the list of guides, or search them'),
  openRoute('site', 'openGuide', '/guides/{slug}', 'Open a guide'),
];
