import type { SandboxKey } from '../../../sandbox/drive/keys.js';
import { Told } from '../../parts/actions/told.js';
import { OptionsForm } from '../../parts/forms/options-form.js';
import { useReading } from '../../parts/hooks.js';
import { go, hrefOf } from '../../parts/links/route.js';
import { Panel } from '../../parts/panel.js';
import { useQuota } from '../../parts/quota.js';
import { Table } from '../../parts/table.js';
import { momentOf } from '../../parts/values/format.js';
import type { ViewProps } from '../../parts/view-props.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { KeyDetails } from './key-details.js';
import { keepSecret } from './secrets.js';
import { State } from './state.js';

/** The number of keys that the table shows. */
const SHOWN_KEYS = 100;

/** The API keys with their nonces, and the idempotency keys. */
export function Keys({ live, id }: ViewProps) {
  const reading = useReading<SandboxKey[]>('keys');
  const quota = useQuota();
  const { data: keys = [] } = reading;
  const chosen = keys.find(({ apiKey }) => apiKey === id) ?? keys[0];
  const levelOf = (apiKey: string) => quota.data?.keys.find((level) => level.apiKey === apiKey);
  return (
    <>
      <Panel title="API keys" hint="Each has its own nonces and its own count of requests. Choose one to change it.">
        <Told reading={reading} />
        {reading.data !== undefined && (
          <Table
            caption="API keys and their nonces"
            rows={keys.slice(0, SHOWN_KEYS)}
            keyOf={({ apiKey }) => apiKey}
            isMarked={(key) => key === chosen}
            empty="There is no API key."
            columns={[
              {
                title: 'key',
                cell: ({ apiKey, label }) => (
                  <a href={hrefOf('keys', apiKey)} aria-current={apiKey === chosen?.apiKey ? 'true' : undefined}>
                    {label ?? (apiKey === keys[0]?.apiKey ? 'credentials' : 'no label')} · {apiKey.slice(0, 12)}…
                  </a>
                ),
              },
              { title: 'state', cell: ({ revoked }) => <State isRevoked={revoked} /> },
              { title: 'scopes', cell: ({ scopes }) => scopes?.join(', ') ?? 'all' },
              { title: 'requests', isNumber: true, cell: ({ requests }) => requests },
              { title: 'races', isNumber: true, cell: ({ races }) => races },
              { title: 'last nonce', cell: ({ lastNonce }) => lastNonce?.nonce ?? 'none yet' },
              {
                title: 'last use (machine’s clock)',
                cell: ({ lastUse }) => (lastUse === undefined ? 'never' : momentOf(lastUse.real)),
              },
              {
                title: 'created (sandbox’s clock)',
                cell: ({ createdAt }) => (createdAt === undefined ? 'unknown' : momentOf(createdAt)),
              },
            ]}
          />
        )}
        {keys.length > SHOWN_KEYS && (
          <p class="note">
            The oldest {SHOWN_KEYS} of {keys.length} keys are shown.
          </p>
        )}
      </Panel>
      {chosen !== undefined && (
        <KeyDetails
          key={chosen.apiKey}
          live={live}
          apiKey={chosen}
          isFirst={chosen === keys[0]}
          level={levelOf(chosen.apiKey)}
        />
      )}
      <Panel title="Issue a further key" hint="Its secret is shown once it is there.">
        <Issue
          onDone={(issued) => {
            keepSecret(live, issued);
            go('keys', issued.apiKey);
          }}
        />
      </Panel>
      <IdempotencyKeys />
    </>
  );
}

/** An API key with its secret. */
interface Issued {
  readonly apiKey: string;
  readonly apiSecret: string;
}

function Issue({ onDone }: { onDone(issued: Issued): void }) {
  return (
    <OptionsForm
      label="Issue a key"
      method="keys/issue"
      onDone={(issued) => onDone(issued as Issued)}
      fields={() => [
        { name: 'label', label: 'Label', hint: 'Its name for people.' },
        {
          name: 'scopes',
          label: 'Scopes',
          hint: 'Of read, trade, funds, users, webhooks, with commas. By default all.',
          kind: 'list',
          suggestions: ['read', 'read, trade', 'read, funds'],
        },
        {
          name: 'nonceWindow',
          label: 'Nonce window',
          hint: 'So many higher nonces may have been used before a late one. By default 0.',
          kind: 'number',
          suggestions: ['0', '64'],
        },
        { name: 'quota.requests', label: 'Quota: requests', hint: 'In one window.', kind: 'number' },
        { name: 'quota.per', label: 'Quota: window', hint: 'Milliseconds.', kind: 'number' },
      ]}
    />
  );
}
