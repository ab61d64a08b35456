/** All values of a name in the header `Cookie`. Node joins several headers into one. */
export function cookieValues(cookies: string | undefined, name: string): string[] {
  return (cookies ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
