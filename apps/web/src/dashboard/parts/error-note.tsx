import { ApiError } from '../api/api-error';
import { Button } from './button';
import styles from './notes.module.css';

/** The reason that a call failed, with the request id for the operator's logs. */
export function ErrorNote({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div className={styles.error} role="alert">
      <p className={styles.errorText}>{error.message}</p>
      {requestId && (
        <p className={styles.requestId}>
          Request <code>{requestId}</code>
        </p>
      )}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}
