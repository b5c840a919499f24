import { useReading } from '../hooks.js';
import { useServiceApi } from './documents.js';

/** Members of collections and of resources that name an item. */
interface Named {
  readonly id?: string;
  readonly apiKey?: string;
  readonly name?: string;
  readonly key?: string;
  readonly url?: string;
  readonly status?: string;
  readonly label?: string;
  readonly record?: { readonly key?: string; readonly symbol?: string; readonly name?: string };
}

/** Collections with their own path. All others are kinds of resources. */
const COLLECTIONS: readonly string[] = ['keys', 'webhooks', 'troubles', 'idempotency'];

interface IdListProps {
  readonly id: string;
  readonly kinds: readonly string[];
}

/** The ids that the browser suggests for a field. */
export function IdList({ id, kinds }: IdListProps) {
  return (
    <datalist id={id}>
      {kinds.map((kind) => (kind === 'operations' ? <Operations key={kind} /> : <Ids key={kind} kind={kind} />))}
    </datalist>
  );
}

function Operations() {
  const { data } = useServiceApi();
  return (
    <>
      {data?.operations.map(({ name, title }) => (
        <option key={name} value={name} label={title} />
      ))}
    </>
  );
}

function Ids({ kind }: { readonly kind: string }) {
  const { data = [] } = useReading<readonly Named[]>(COLLECTIONS.includes(kind) ? kind : `resources/${kind}?limit=200`);
  return (
    <>
      {data.map((one) => {
        const value = (kind === 'assets' ? one.record?.symbol : one.record?.key) ?? one.apiKey ?? one.id ?? one.key;
        const text = one.label ?? one.record?.name ?? one.url ?? one.status;
        return <option key={value ?? one.name} value={value ?? one.name} label={text} />;
      })}
    </>
  );
}
