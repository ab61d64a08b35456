/**
 * A small linear congruential generator. The same seed produces the same numbers.
 * @param {number} seed @returns {() => number} from 0 up to, but not including, 1
 */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
