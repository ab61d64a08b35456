import { useState, type ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { ErrorNote } from './error-note';
import { Row } from './page';

interface ConfirmButtonProps {
  label: string;
  title: ReactNode;
  /** Explains the action, and whether it can be undone. */
  text: ReactNode;
  onConfirm: () => Promise<unknown>;
  kind?: 'plain' | 'danger' | 'primary';
}

/** A button that asks for confirmation before its action. */
export function ConfirmButton({ label, title, text, onConfirm, kind = 'danger' }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      setOpen(false);
    } catch (thrown) {
      setError(thrown as Error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)} description={text}>
        {error && <ErrorNote error={error} />}
        <Row>
          <Button kind={kind === 'plain' ? 'primary' : kind} isBusy={isBusy} onClick={() => void confirm()}>
            {label}
          </Button>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
        </Row>
      </Dialog>
    </>
  );
}
