/** `Delete Tea?`: a name from right to left must not move the question mark. */
export const NamedQuestion = ({ ask, name }: { ask: string; name: string }) => (
  <>
    {ask} <bdi>{name}</bdi>?
  </>
);
