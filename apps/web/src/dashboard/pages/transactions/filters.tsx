import { useState } from 'react';
import { useChains } from '../../api/chains';
import { Button } from '../../parts/button';
import { classNames } from '../../parts/class-names';
import { SelectField, TextField } from '../../parts/field';
import styles from './filters.module.css';
import { SearchField } from './search-field';

interface FiltersProps {
  filters: Record<string, string>;
  onChange: (filters: Record<string, string>) => void;
  onSearch: (q: string) => void;
}

const types = [
  ['', 'Any'],
  ['payment', 'Payments'],
  ['refund', 'Refunds'],
] as const;
const states = [
  ['', 'Any'],
  ['pending', 'Pending'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['expired', 'Expired'],
  ['reversed', 'Reversed'],
] as const;

/** The filters of the API. On a phone, a button opens them. */
export function Filters({ filters, onChange, onSearch }: FiltersProps) {
  const { data: chains } = useChains();
  const [isOpen, setOpen] = useState(false);
  const [clearings, setClearings] = useState(0);
  const clear = () => {
    setClearings(clearings + 1);
    onChange({});
  };
  const set = (name: string) => (value: string) => {
    const { [name]: _former, ...others } = filters;
    onChange(value === '' ? others : { ...others, [name]: value });
  };
  const networks = (chains?.all ?? []).map(({ id, name }) => [id, name] as const);
  const dayOf = (name: string) => filters[name]?.slice(0, 10) ?? '';
  const setDay = (name: string) => (day: string) => set(name)(day && `${day}T00:00:00Z`);
  const count = Object.keys(filters).filter((name) => name !== 'q').length;
  return (
    <div className={styles.filters}>
      <SearchField key={clearings} q={filters['q'] ?? ''} onSearch={onSearch} />
      <Button
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls="filters"
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <div id="filters" className={classNames(styles.fields, isOpen && styles.open)}>
        <SelectField label="Type" options={types} value={filters['type'] ?? ''} onText={set('type')} />
        <SelectField label="Status" options={states} value={filters['status'] ?? ''} onText={set('status')} />
        <SelectField
          label="Chain"
          options={[['', 'Any'], ...networks]}
          value={filters['network'] ?? ''}
          onText={set('network')}
        />
        <TextField label="From" type="date" value={dayOf('from')} onText={setDay('from')} />
        <TextField label="Before" type="date" value={dayOf('to')} onText={setDay('to')} />
      </div>
      {Object.keys(filters).length > 0 && (
        <p>
          <Button kind="link" onClick={clear}>
            Clear the filters
          </Button>
        </p>
      )}
    </div>
  );
}
