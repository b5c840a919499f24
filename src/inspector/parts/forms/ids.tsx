import { useReading } from '../hooks.js';
import { useServiceApi } from './documents.js';
import { type Choices, isMembers, type Members } from './schema.js';

interface IdListProps {
  readonly id: string;
  /** The kinds whose ids are suggested, or `operations`. */
  readonly kinds: readonly string[];
  /** Further suggestions. */
  readonly known: Choices;
}

/** What the browser suggests for a field. */
export function IdList({ id, kinds, known }: IdListProps) {
  return (
    <datalist id={id}>
      {known.map(optionOf)}
      {kinds.map((kind) => (kind === 'operations' ? <Operations key={kind} /> : <Ids key={kind} kind={kind} />))}
    </datalist>
  );
}

const optionOf = ([value, text]: Choices[number]) => <option key={value} value={value} label={text} />;

const Operations = () => <>{useServiceApi().data?.operations.map(({ name, summary }) => optionOf([name, summary]))}</>;

/** Collections with their own path. All others are kinds of resources. */
const COLLECTIONS: readonly string[] = ['keys', 'webhooks', 'troubles', 'idempotency'];

function Ids({ kind }: { readonly kind: string }) {
  const path = COLLECTIONS.includes(kind) ? kind : `resources/${kind}?limit=200`;
  const { data = [] } = useReading<readonly Members[]>(path);
  const named = data.map((one) => {
    const all: Members = { ...one, ...(isMembers(one['record']) && one['record']) };
    const id = kind === 'assets' ? all['symbol'] : (all['key'] ?? all['apiKey'] ?? all['id']);
    return [String(id), String(all['label'] ?? all['name'] ?? all['url'] ?? all['status'] ?? '')] as const;
  });
  return <>{named.map(optionOf)}</>;
}
