/** Whether the client prefers a page. Browsers list `text/html` first, programs list JSON or all types. */
export function wantsPage(accept = ''): boolean {
  const names = accept.split(',').map((item) => item.split(';')[0]!.trim().toLowerCase());
  const [page, json] = ['text/html', 'application/json'].map((name) => names.indexOf(name));
  return page! >= 0 && (json! < 0 || page! < json!);
}
