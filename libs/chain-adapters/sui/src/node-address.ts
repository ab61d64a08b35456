const headerName = /^x-[a-z-]{1,40}$/i;

/**
 * Splits the URL of a node into its address and the headers with its key. If the user of the user info is the name of a
 * header (`https://x-api-key:KEY@host`), the password is sent as that header. Other user info is sent as basic
 * authorisation.
 */
export function nodeAddress(text: string): { baseUrl: string; headers: Record<string, string> } {
  const url = new URL(text);
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = '';
  url.password = '';
  return { baseUrl: url.href, headers: keyHeaders(user, password) };
}

function keyHeaders(user: string, password: string): Record<string, string> {
  if (user === '' && password === '') return {};
  if (headerName.test(user)) return { [user.toLowerCase()]: password };
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
