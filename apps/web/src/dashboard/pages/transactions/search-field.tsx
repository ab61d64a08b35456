import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../parts/field';

/** The API rejects shorter searches, which match too much. */
const shortest = 3;
const pauseMs = 350;

interface SearchFieldProps {
  q: string;
  onSearch: (q: string) => void;
}

/** Searches all transactions on the server, once the merchant pauses. */
export function SearchField({ q, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A search that comes after the merchant has left the page would lead back to it.
  useEffect(() => () => clearTimeout(timer.current), []);
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
