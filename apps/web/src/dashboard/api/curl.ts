/** A call of the API that is shown to the merchant. */
export interface CurlCall {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  /** The credential: `secret` of an API key by default; `session` of the wallet; `none` for public operations. */
  auth?: 'secret' | 'session' | 'none';
  wallet?: string;
}

/** The shell command that makes the same call. */
export function curlOf(
  { method = 'GET', path, body, auth = 'secret', wallet }: CurlCall,
  origin: string,
): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quote(origin + path)}`];
  if (auth === 'secret') lines.push('-H "Authorization: Bearer $TOLLBRIDGE_SECRET"');
  if (auth === 'session') {
    lines.push('-H "Authorization: Bearer $TOLLBRIDGE_SESSION"');
    lines.push(`-H ${quote(`x-wallet: ${wallet ?? ''}`)}`);
  }
  if (body !== undefined) {
    lines.push(`-H ${quote('content-type: application/json')}`);
    lines.push(`-d ${quote(JSON.stringify(body))}`);
  }
  return lines.join(' \\\n  ');
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
