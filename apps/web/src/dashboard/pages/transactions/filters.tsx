import { useChains } from '../../api/chains';
import { Button } from '../../parts/button';
import { SelectField, TextField } from '../../parts/field';
import { Columns } from '../../parts/form';

interface FiltersProps {
  filters: Record<string, string>;
  onChange: (filters: Record<string, string>) => void;
  text: string;
  onText: (text: string) => void;
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

/** The filters of the API, and a search in the rows that are loaded, for which the API has none. */
export function Filters({ filters, onChange, text, onText }: FiltersProps) {
  const { data: chains } = useChains();
  const set = (name: string) => (value: string) => {
    const { [name]: _former, ...others } = filters;
    onChange(value === '' ? others : { ...others, [name]: value });
  };
  const networks = (chains?.all ?? []).map(({ id, name }) => [id, name] as const);
  const dayOf = (name: string) => filters[name]?.slice(0, 10) ?? '';
  const setDay = (name: string) => (day: string) => set(name)(day && `${day}T00:00:00Z`);
  return (
    <>
      <Columns>
        <TextField
          label="Search"
          placeholder="Hash, payer, text"
          value={text}
          onText={onText}
          type="search"
        />
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
      </Columns>
      {Object.keys(filters).length > 0 && (
        <p>
          <Button kind="link" onClick={() => onChange({})}>
            Clear the filters
          </Button>
        </p>
      )}
    </>
  );
}
