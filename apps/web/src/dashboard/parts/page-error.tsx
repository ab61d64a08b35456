import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorNote } from './error-note';

export const PageError = ({ error, reset }: ErrorComponentProps) => (
  <ErrorNote error={error as Error} onRetry={reset} />
);
