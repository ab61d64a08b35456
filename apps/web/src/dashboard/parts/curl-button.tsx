import { useState } from 'react';
import { curlOf, type CurlCall } from '../api/curl';
import { Button } from './button';
import { CopyBlock } from './copy';
import { Dialog } from './dialog';

const credentials: Record<NonNullable<CurlCall['auth']>, string> = {
  secret: 'TOLLBRIDGE_SECRET is the secret of an API key of yours.',
  session:
    'TOLLBRIDGE_SESSION is a session token: POST /api/auth/verify returns it. A key cannot make this call.',
  none: 'This call needs no credentials.',
};

/** Shows the command for the same call as that of the page or the form. */
export function CurlButton({ call }: { call: CurlCall }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="link" onClick={() => setOpen(true)}>
        curl
      </Button>
      <Dialog
        title="The same by the API"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        description={credentials[call.auth ?? 'secret']}
      >
        <CopyBlock text={curlOf(call, location.origin)} label="Command" />
      </Dialog>
    </>
  );
}
