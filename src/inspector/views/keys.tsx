import { useState } from 'preact/hooks';
import type { SandboxCredentials } from '../../sandbox/core/keys/api-keys.js';
import type { SandboxKey } from '../../sandbox/drive/keys.js';
import type { SandboxIdempotencyKey } from '../../sandbox/service/idempotency/idempotency.js';
import { Action, Removal } from '../parts/actions/action.js';
import { Copy } from '../parts/actions/copy.js';
import { FactList } from '../parts/fact-list.js';
import { Forms, MethodForm } from '../parts/forms/method-form.js';
import { SearchField } from '../parts/forms/search-field.js';
import { type Reading, useReading } from '../parts/hooks.js';
import { go, hrefOf } from '../parts/links/route.js';
import { Panel, ReadingState } from '../parts/panel.js';
import { useKeys } from '../parts/quota.js';
import { useRowHeight } from '../parts/row-height.js';
import { useSandboxNow } from '../parts/sandbox-now.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/values/ago.js';
import { momentOf, spanOf } from '../parts/values/format.js';
import type { ViewProps } from '../parts/view-props.js';
import { VirtualList } from '../parts/virtual-list.js';
import { read } from '../wire/api.js';
import type { live as one } from '../wire/live.js';

/** Maximum number of keys in the table. */
const SHOWN_KEYS = 100;

/** The API keys with their nonces, and the idempotency keys. */
export function Keys({ live, id }: ViewProps) {
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
                title: 'key',
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
            The oldest {SHOWN_KEYS} of {keys.length} keys are shown.
          </p>
        )}
      </Panel>
      <div class="columns">
        {chosen !== undefined && (
          <KeyDetails key={chosen.apiKey} live={live} apiKey={chosen} isFirst={chosen === keys[0]} />
        )}
        <Panel title="Issue a further key" hint="Its secret is shown once it is there.">
          <MethodForm
            label="Issue a key"
            method="keys/issue"
            onDone={(answer) => {
              const issued = answer as SandboxCredentials;
              keepSecret(live, issued);
              go('keys', issued.apiKey);
            }}
          />
        </Panel>
      </div>
      <IdempotencyKeys />
    </>
  );
}

interface KeyDetailsProps {
  readonly live: typeof one;
  readonly apiKey: SandboxKey;
  /** True for the key of `credentials`. */
  readonly isFirst: boolean;
}

/** An API key, and all that can be done with it. */
function KeyDetails({ live, apiKey: key, isFirst }: KeyDetailsProps) {
  const { apiKey, label, revoked } = key;
  const first = useReading<SandboxCredentials>(isFirst ? 'credentials' : undefined);
  const [, redraw] = useState({});
  const secret = isFirst ? first.data?.apiSecret : secretOf(live, apiKey);
  const keep = (answer: unknown): void => {
    keepSecret(live, answer as SandboxCredentials);
    // The event of the change may have come before the answer.
    redraw({});
  };
  return (
    <Panel title={`Key ${label ?? (isFirst ? 'of the credentials' : '')}`}>
      <FactList
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
          label={revoked ? 'Reinstate the key' : 'Revoke the key'}
          method={revoked ? 'keys/reinstate' : 'keys/revoke'}
          args={[apiKey]}
        />
        <Action label="New secret" method="keys/rotateSecret" args={[apiKey]} onDone={keep} />
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
    ['races', races === 0 ? '0' : `${races}: answered 401, as a nonce as high had been used`],
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

/** The secrets of keys that this page issued. The sandbox returns a secret only once. */
const issuedSecrets = new Map<string, { readonly secret: string; readonly era: number }>();

function keepSecret({ era: { value: era } }: typeof one, { apiKey, apiSecret }: SandboxCredentials): void {
  issuedSecrets.set(apiKey, { secret: apiSecret, era });
}

/** After a reset a key with the same name has another secret. */
function secretOf({ era: { value: era } }: typeof one, apiKey: string): string | undefined {
  const known = issuedSecrets.get(apiKey);
  return known?.era === era ? known.secret : undefined;
}

/** A secret that stays hidden until the user asks for it. */
function Masked({ label, secret }: { readonly label: string; readonly secret: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <span class="masked">
      <code>{isShown ? secret : '••••••••'}</code>
      <button
        type="button"
        class="quiet"
        aria-label={`${isShown ? 'Hide' : 'Show'} ${label}`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'hide' : 'show'}
      </button>
      <Copy label="copy" of={label} text={secret} />
    </span>
  );
}

/** If an API key is accepted. */
function State({ isRevoked }: { readonly isRevoked: boolean }) {
  return <span class={`badge tone-${isRevoked ? 'bad' : 'good'}`}>{isRevoked ? 'revoked' : 'valid'}</span>;
}

/** The idempotency keys whose answers are replayed, newest first. */
function IdempotencyKeys() {
  const { data: keys, problem } = useIdempotencyKeys();
  const now = useSandboxNow() ?? 0;
  const rowHeight = useRowHeight();
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const shown = (keys ?? []).filter((one) => one.expiresAt > now && textOf(one).includes(wanted)).reverse();
  return (
    <Panel
      title="Idempotency keys"
      hint="The same request under a key gets the same answer for 24 hours; a forgotten key has a new effect."
    >
      {problem !== undefined && <p class="note">{problem}</p>}
      {keys !== undefined && keys.length > 0 && (
        <SearchField label="Search" placeholder="Search: key, operation or account" value={text} onText={setText} />
      )}
      {shown.length === 0 ? (
        <p class="empty">{keys === undefined ? 'Reading …' : keys.length === 0 ? EMPTY : 'None matches.'}</p>
      ) : (
        <div class="tall-rows">
          <VirtualList
            items={shown}
            rowHeight={rowHeight}
            label="Idempotency keys, newest first"
            selected={undefined}
            row={(one) => <Remembered key={one.key} one={one} now={now} />}
          />
        </div>
      )}
    </Panel>
  );
}

const EMPTY = 'No key is remembered. The answer to a write with an Idempotency-Key stands here.';

const textOf = ({ key, request }: SandboxIdempotencyKey): string =>
  [key, request.operation, request.account].join(' ').toLowerCase();

interface RememberedProps {
  readonly one: SandboxIdempotencyKey;
  readonly now: number;
}

function Remembered({ one: { key, request, status, expiresAt, first }, now }: RememberedProps) {
  const what = `${request.method} ${request.path}`;
  return (
    <li class="tall-row">
      <span class="tall-what" title={what}>
        <code>{key}</code> <Copy label="copy" of={key} text={key} />
        {first === undefined ? 'before this run' : <a href={hrefOf('requests', first)}>first request</a>}
      </span>
      <span class="tall-more" title={what}>
        <b>{status}</b> {request.operation} · {spanOf(Math.max(0, now - request.at))} old · expires in{' '}
        {spanOf(expiresAt - now)}
      </span>
      <Removal label="forget" collection="idempotency" id={key} />
    </li>
  );
}

type Keys = readonly SandboxIdempotencyKey[];

/** Number of keys in one answer, few enough to be read without a stall of the page. */
const PAGE_KEYS = 1_000;

/** Of thousands of keys only new ones are read, unless a key was forgotten. */
async function readOn(path: string, known: Keys = [], isDoubtful: boolean): Promise<Keys> {
  let all = isDoubtful || known.length < PAGE_KEYS ? [] : [...known];
  for (;;) {
    const found = await read<Keys>(path, { limit: PAGE_KEYS, after: all.at(-1)?.key });
    all = all.concat(found);
    if (found.length < PAGE_KEYS) return all;
  }
}

/** The keys that are remembered, oldest first. */
const useIdempotencyKeys = (): Reading<Keys> => useReading('idempotency', readOn);
