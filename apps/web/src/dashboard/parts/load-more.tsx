import { Button } from './button';
import { Row } from './page';

interface LoadMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
}

/** The button that loads the next page of a list; shown only if there is a next page. */
export const LoadMore = ({ query }: LoadMoreProps) =>
  query.hasNextPage && (
    <Row>
      <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Load more
      </Button>
    </Row>
  );
