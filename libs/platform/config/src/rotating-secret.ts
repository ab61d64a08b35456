import { atLeast, type Setting } from './setting';
import { UnusableValue } from './unusable-value';

/**
 * A secret that can be replaced while the app runs: one value, or two separated by a comma. The first one
 * creates new signatures and hashes; the second one is only accepted (docs/operations/rotate.md).
 */
export function rotatingSecret(
  options: Pick<Setting<string>, 'description' | 'example' | 'default' | 'sandboxDefault'> & {
    minLength?: number;
    /** Validates each value beyond its length. Returns the problem, or undefined for a valid value. */
    problemOf?: (value: string) => string | undefined;
  },
): Setting<string> {
  const { minLength = 1, problemOf, description, ...rest } = options;
  return {
    ...rest,
    description: `${description}; while it is replaced two values, separated by a comma: new secrets use the first, both are accepted`,
    ...(minLength > 1 && { accepts: atLeast(minLength) }),
    isSecret: true,
    read(value) {
      const values = secretValues(value);
      if (values.length > 2 || new Set(values).size < values.length)
        throw new UnusableValue('must be one value, or two different ones separated by a comma');
      if (values.some((each) => each.length < minLength))
        throw new UnusableValue(`must have at least ${minLength} characters`);
      for (const each of values) {
        const problem = problemOf?.(each);
        if (problem) throw new UnusableValue(problem);
      }
      return value;
    },
  };
}

/** Returns the values of a `rotatingSecret`, the one for new secrets first. Empty for an empty setting. */
export const secretValues = (value: string): string[] => (value === '' ? [] : value.split(','));
