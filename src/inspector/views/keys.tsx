import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Action } from '../parts/actions/button.js';
import { Copy } from '../parts/actions/copy.js';
import { Facts } from '../parts/facts.js';
import { Forms, MethodForm } from '../parts/forms/method-form.js';
import { type Reading, useReading } from '../parts/hooks.js';
import { Badge } from '../parts/marks.js';
import { Masked } from '../parts/masked.js';
import { Panel, ReadingState } from '../parts/pane.js';
import { Table } from '../parts/table.js';
import { Ago, momentOf, spanOf } from '../parts/values/times.js';
import { address, go, hrefOf } from '../wire/address.js';
import { live } from '../wire/live.js';
import type { SandboxCredentials, SandboxKey } from '../wire/sandbox.js';

/** Maximum number of API keys in the table. */
const SHOWN_KEYS = 100;

/** The API keys. A window of a quota passes without an event: they are read again each second. */
function useKeys(): Reading<readonly SandboxKey[]> {
  const reading = useReading<readonly SandboxKey[]>('keys');
  const { data = [], again } = reading;
  const isCounting = data.some(({ quota }) => quota?.endsInMs !== undefined);
  useEffect(() => {
    const timer = isCounting ? setInterval(again, 1_000) : undefined;
    return () => clearInterval(timer);
  }, [isCounting, again]);
  return reading;
}

/** The API keys with their nonces, and the terms of each. */
export function Keys() {
  const { id } = address.value;
  const reading = useKeys();
  const { data: keys = [] } = reading;
  const chosen = keys.find(({ apiKey }) => apiKey === id) ?? keys[0];
  return (
    <>
      <Panel title="API keys" hint="Each has its own nonces and its own count of requests. Choose one to change it.">
        <ReadingState reading={reading} />
        {reading.data !== undefined && (
          <Table
            caption="API keys and their nonces"
            rows={keys.slice(0, SHOWN_KEYS)}
            keyOf={({ apiKey }) => apiKey}
            isMarked={(key) => key === chosen}
            empty="There is no API key."
            columns={[
              {
                title: 'API key',
                cell: ({ apiKey, label }) => (
                  <a href={hrefOf('keys', apiKey)} aria-current={apiKey === chosen?.apiKey ? 'true' : undefined}>
                    {label ?? (apiKey === keys[0]?.apiKey ? 'credentials' : 'no label')} · {apiKey.slice(0, 12)}…
                  </a>
                ),
              },
              { title: 'state', cell: ({ revoked }) => <State isRevoked={revoked} /> },
              { title: 'scopes', isMinor: true, cell: ({ scopes }) => scopes?.join(', ') ?? 'all' },
              { title: 'requests', isNumber: true, isMinor: true, cell: ({ requests }) => requests },
              { title: 'races', isNumber: true, isMinor: true, cell: ({ races }) => races },
              {
                title: 'last use',
                isMinor: true,
                cell: ({ lastUse }) => (lastUse === undefined ? 'never' : <Ago at={lastUse.real} now={Date.now()} />),
              },
              { title: 'last nonce', isMinor: true, cell: ({ lastNonce }) => lastNonce?.nonce ?? 'none yet' },
            ]}
          />
        )}
        {keys.length > SHOWN_KEYS && (
          <p class="note">
            The oldest {SHOWN_KEYS} of {keys.length} API keys are shown.
          </p>
        )}
      </Panel>
      <div class="columns">
        {chosen !== undefined && <KeyDetails key={chosen.apiKey} apiKey={chosen} isFirst={chosen === keys[0]} />}
        <Panel title="Issue a further API key" hint="Its secret is shown once it is there.">
          <MethodForm
            label="Issue an API key"
            method="keys/issue"
            onDone={(answer) => go('keys', keepSecret(answer).apiKey)}
          />
        </Panel>
      </div>
    </>
  );
}

interface KeyDetailsProps {
  readonly apiKey: SandboxKey;
  /** True for the key of `credentials`. */
  readonly isFirst: boolean;
}

/** An API key, and all that can be done with it. */
function KeyDetails({ apiKey: key, isFirst }: KeyDetailsProps) {
  const { apiKey, label, revoked } = key;
  const first = useReading<SandboxCredentials>(isFirst ? 'credentials' : undefined);
  const secret = isFirst ? first.data?.apiSecret : issued.value.get(apiKey);
  return (
    <Panel title={`API key ${label ?? (isFirst ? 'of the credentials' : '')}`}>
      <Facts
        facts={[
          [
            'API key',
            <>
              {apiKey} <Copy label="copy" of="the API key" text={apiKey} />
            </>,
          ],
          [
            'secret',
            secret === undefined ? (
              'shown only when the key is issued; you can make a new one below'
            ) : (
              <Masked label="the secret" secret={secret} />
            ),
          ],
          ...factsOf(key),
        ]}
      />
      <p class="actions">
        <Action
          label={revoked ? 'Reinstate' : 'Revoke'}
          method={revoked ? 'keys/reinstate' : 'keys/revoke'}
          args={[apiKey]}
        />
        <Action label="New secret" method="keys/rotateSecret" args={[apiKey]} onDone={keepSecret} />
      </p>
      <Terms apiKey={key} />
    </Panel>
  );
}

function factsOf(key: SandboxKey) {
  const { createdAt, scopes, quota, nonceWindow, lastNonce, lastUse, requests, races, revoked } = key;
  const time = lastNonce?.time && `, ${momentOf(lastNonce.time.at)} in ${lastNonce.time.unit}`;
  const limits =
    quota === undefined
      ? ['no limit']
      : [
          `${quota.requests} in ${spanOf(quota.perMs)}`,
          `${quota.left} left`,
          ...(quota.endsInMs === undefined ? [] : [`the window ends in ${spanOf(quota.endsInMs)}`]),
        ];
  return [
    ['state', <State isRevoked={revoked} />],
    ['created', createdAt === undefined ? 'unknown' : momentOf(createdAt)],
    ['last nonce', lastNonce === undefined ? 'none yet' : `${lastNonce.nonce}${time ?? ', no time'}`],
    [
      'last use',
      lastUse === undefined
        ? 'never in this run'
        : `${momentOf(lastUse.at)}, by the machine’s clock ${momentOf(lastUse.real)}`,
    ],
    ['requests', requests],
    ['races', races === 0 ? '0' : `${races}: rejected with 401, as a nonce as high had been used`],
    ['scopes', scopes?.join(', ') ?? 'all'],
    ['nonce window', nonceWindow === 0 ? '0: nonces rise strictly' : nonceWindow],
    ['quota', limits.join(', ')],
  ] as const;
}

function Terms({ apiKey: { apiKey, scopes, nonceWindow, quota } }: Pick<KeyDetailsProps, 'apiKey'>) {
  const given = { apiKey };
  const own = quota === undefined ? null : { requests: quota.requests, perMs: quota.perMs };
  const specs = [
    { label: 'Set the scopes', method: 'keys/setScopes', given, begin: { scopes: scopes ?? null } },
    { label: 'Set the nonce window', method: 'keys/setNonceWindow', given, begin: { nonceWindow } },
    { label: 'Set its quota', method: 'keys/setQuota', given, begin: { quota: own } },
  ];
  return <Forms specs={specs} />;
}

/**
 * The secrets of API keys that this page issued, which the sandbox returns only once. After a
 * reset the same API key has another one.
 */
const issued = signal<ReadonlyMap<string, string>>(new Map());
live.era.subscribe(() => {
  issued.value = new Map();
});

function keepSecret(answer: unknown): SandboxCredentials {
  const credentials = answer as SandboxCredentials;
  issued.value = new Map([...issued.peek(), [credentials.apiKey, credentials.apiSecret]]);
  return credentials;
}

/** If an API key is accepted. */
function State({ isRevoked }: { readonly isRevoked: boolean }) {
  return <Badge tone={isRevoked ? 'bad' : 'plain'}>{isRevoked ? 'revoked' : 'valid'}</Badge>;
}
