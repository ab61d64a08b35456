interface Declared {
  method: string;
  path: string;
  errors: readonly string[];
}

/**
 * Returns the operations without complete tests in a spec file. Each needs a block with its method and path as title.
 * The block needs a case `200: …`, a case `400 VALIDATION_ERROR: …`, and one for each declared error.
 */
export function missingCases(operations: readonly Declared[], specText: string): string[] {
  const blocks = specText.split(/^describe\('/m).slice(1);
  return operations.flatMap(({ method, path, errors }) => {
    const title = `${method} ${path}`;
    const block = blocks.find((text) => text.startsWith(`${title}'`)) ?? '';
    const wanted = ['200', '400 VALIDATION_ERROR', ...errors];
    // A title is a separate line, or the first argument of `it` and `it.each`.
    const titles = [...block.matchAll(/\bit(?:\.each\([^]*?\))?\(\s*(['"`])(.*?)\1/g)].map(
      (match) => match[2]!,
    );
    const isTested = (code: string) => titles.some((text) => text.split(':')[0]!.includes(code));
    return wanted.filter((code) => !isTested(code)).map((code) => `${title}: ${code}`);
  });
}
