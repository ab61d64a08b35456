export interface NodeAccess {
  url: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * Returns the URL and the headers for a node of `CHAINS_FILE`. User info of the URL becomes a header. `user:password@`
 * becomes basic authentication, and `key@` becomes the header `x-api-key`. Keys in the path or the query stay there.
 */
export function nodeAccess(text: string): NodeAccess {
  const url = new URL(text);
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  url.username = '';
  url.password = '';
  return { url: url.href, headers: headersFor(user, password) };
}

function headersFor(user: string, password: string): Record<string, string> {
  if (password !== '')
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  return user === '' ? {} : { 'x-api-key': user };
}
