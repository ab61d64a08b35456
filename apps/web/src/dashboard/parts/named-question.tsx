/** For example `Delete Tea?`. A right-to-left name must not move the question mark. */
export const NamedQuestion = ({ ask, name }: { ask: string; name: string }) => (
  <>
    {ask} <bdi>{name}</bdi>?
  </>
);
