import { Copy } from '../parts/actions/copy.js';
import { Panel } from '../parts/pane.js';
import { hrefOf } from '../wire/address.js';
import { read } from '../wire/api.js';
import type { SandboxCredentials, SandboxFixtures } from '../wire/sandbox.js';
import { PROGRAMS, type SetUp } from './programs.js';

/** The secret comes into the page when the reader asks for it. */
async function readSetUp(): Promise<SetUp> {
  const [credentials, fixtures] = await Promise.all([
    read<SandboxCredentials>('credentials'),
    read<SandboxFixtures>('fixtures'),
  ]);
  return { url: location.origin, credentials, fixtures };
}

/** Copies address and credentials, or a first program with them in it. */
export function SetUpCopies() {
  return (
    <>
      <ul class="copies">
        {PROGRAMS.map(({ label, use, text }) => (
          <li key={label}>
            <Copy label={label} of="set-up" text={async () => text(await readSetUp())} />
            <span class="soft">{use}</span>
          </li>
        ))}
      </ul>
      {location.protocol === 'https:' && (
        <p class="hint">Clients must trust the certificate of this sandbox: the file of --tls-cert.</p>
      )}
    </>
  );
}

/** First steps, while nothing has happened. */
export function FirstCall() {
  return (
    <Panel
      title="Send your first call"
      hint="Copy a small program with this sandbox's address and credentials in it, and run it. The call shows below."
    >
      <SetUpCopies />
      <p class="hint">
        Without a program: <a href={hrefOf('try')}>Try a call</a> sends signed calls from this page.
      </p>
    </Panel>
  );
}
