import type { WebFiles } from '../web/web-files';

/**
 * All parts come from this server. Scripts of other sites cannot run, and this page cannot send data to other sites.
 */
export const dashboardPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Wallets publish their icons as data: URLs.
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The HTML for all pages of the dashboard. Its script renders the page for the path, and replaces the line of text. */
export function dashboardPage(files: Pick<WebFiles, 'entry'>, { isSandbox }: { isSandbox: boolean }): string {
  const { file, imports, styles } = files.entry('dashboard');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Tollbridge dashboard</title>
<link rel="icon" href="/assets/icon.svg">
${styles.map((url) => `<link rel="stylesheet" href="${url}">`).join('\n')}
${imports.map((url) => `<link rel="modulepreload" href="${url}">`).join('\n')}
<script type="module" src="${file}"></script>
</head>
<body>
<div id="app" data-environment="${isSandbox ? 'sandbox' : 'live'}"><p class="opening" role="status">Opening the dashboard …</p></div>
<noscript>The dashboard needs JavaScript. The API that it calls is described at <a href="/docs">/docs</a>.</noscript>
</body>
</html>
`;
}
