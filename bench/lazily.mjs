/** @returns a function that makes something at its first call and returns the same from then on */
export function lazily(make) {
  let made;
  return () => (made ??= make());
}
