import { useMutation } from '@tanstack/react-query';
import { forgetIdempotencyKey, idempotencyHeader } from '../api/client';
import { fieldError } from './form';

/**
 * Creates an object with a form. A repeated submission of the same body after a failure has the same key, so nothing is
 * created twice.
 * @returns the properties of the `Form`, and the message of each field
 */
export function useCreation<T>(
  body: unknown,
  send: (header: ReturnType<typeof idempotencyHeader>) => Promise<T>,
  onCreated: (created: T) => void,
) {
  const creating = useMutation({
    mutationFn: () => send(idempotencyHeader(body)),
    onSuccess: (created) => {
      forgetIdempotencyKey();
      onCreated(created);
    },
  });
  return {
    errorOf: (name: string) => fieldError(creating.error, name),
    form: {
      onSubmit: () => creating.mutate(),
      submitLabel: 'Create',
      isBusy: creating.isPending,
      error: creating.error,
    },
  };
}
