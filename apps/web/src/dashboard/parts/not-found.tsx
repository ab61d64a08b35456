import { Link } from '@tanstack/react-router';
import { Empty } from './empty';

export const NotFound = () => (
  <Empty
    title="There is no such page"
    text="The address may be misspelled, or of an older version."
    action={<Link to="/">Go to the overview</Link>}
  />
);
