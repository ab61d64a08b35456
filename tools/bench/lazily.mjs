/** @returns a function that creates a value on its first call and returns the same value afterwards */
export function lazily(make) {
  let made;
  return () => (made ??= make());
}
