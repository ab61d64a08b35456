/** @returns a function that creates a value on its first call, and returns that value on every call */
export function lazily(make) {
  let made;
  return () => (made ??= make());
}
