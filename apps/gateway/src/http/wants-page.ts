/** Whether a page is preferred: browsers name `text/html` first, programs name JSON or everything. */
export function wantsPage(accept = ''): boolean {
  const names = accept.split(',').map((item) => item.split(';')[0]!.trim().toLowerCase());
  const [page, json] = ['text/html', 'application/json'].map((name) => names.indexOf(name));
  return page! >= 0 && (json! < 0 || page! < json!);
}
