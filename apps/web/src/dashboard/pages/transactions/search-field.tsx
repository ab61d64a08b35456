import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../parts/field';

/** The API rejects shorter searches, which match too much. */
const shortest = 3;
const pauseMs = 350;

interface SearchFieldProps {
  q: string;
  onSearch: (q: string) => void;
}

/** Searches all transactions on the server when the merchant pauses typing. */
export function SearchField({ q, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const router = useRouter();
  // A search after the merchant has followed a link would navigate back, even while the next page still loads.
  useEffect(() => {
    const cancel = () => clearTimeout(timer.current);
    const stopListening = router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && cancel());
    return () => {
      stopListening();
      cancel();
    };
  }, [router]);
  const isShort = text.trim() !== '' && text.trim().length < shortest;
  const type = (typed: string) => {
    setText(typed);
    clearTimeout(timer.current);
    const wanted = typed.trim();
    if (wanted === '' || wanted.length >= shortest)
      timer.current = setTimeout(() => onSearch(wanted), pauseMs);
  };
  return (
    <TextField
      label="Search"
      placeholder="Id, hash, payer or reference"
      hint={isShort && `At least ${shortest} characters`}
      value={text}
      onText={type}
      type="search"
      maxLength={128}
      spellCheck={false}
    />
  );
}
