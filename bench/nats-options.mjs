export function connectOptions(url) {
  const { host, username, password } = new URL(url);
  return {
    noAsyncTraces: true,
    servers: host,
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
  };
}
