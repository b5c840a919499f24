import type { Sandbox, SandboxOptions, SandboxSnapshot } from 'partner-sdk/sandbox';
import type { CommandOptions } from './arguments.js';
import { Failure, reasonOf } from './failure.js';
import { notAState, type StateFile } from './state-file.js';
import { quoted } from './text.js';

/** Makes the sandbox that the command line asks for; it goes on from the file when that holds a state. Rejects with a `Failure`. */
export async function openSandbox(
  { seed, latency, chaos, otp, enforceUserStatus, still }: CommandOptions,
  file: StateFile | undefined,
  listeners: Pick<SandboxOptions, 'onRequest' | 'onDelivery' | 'onControl'>,
): Promise<Sandbox> {
  // Not before it is needed: a wrong option is told at once.
  const { createSandbox } = await import('partner-sdk/sandbox');
  const options: SandboxOptions = { realTime: !still, latency, otp, enforceUserStatus, ...listeners };
  const sandbox =
    file?.content === undefined
      ? createSandbox({ ...options, seed })
      : goOn(file, seed, (snapshot) => createSandbox({ ...options, snapshot }));
  // The clock stood still while nothing ran.
  if (!still) sandbox.advance(Math.max(0, Date.now() - sandbox.clock.now()));
  if (chaos !== undefined && chaos > 0) sandbox.faults.chaos(chaos);
  return sandbox;
}

function goOn(file: StateFile, seed: number | undefined, create: (snapshot: SandboxSnapshot) => Sandbox): Sandbox {
  // What it is in truth, `create` finds out.
  const snapshot = file.content as SandboxSnapshot;
  let sandbox: Sandbox;
  try {
    sandbox = create(snapshot);
  } catch (error) {
    throw notAState(file.name, reasonOf(error).replace(/^createSandbox: /, ''));
  }
  if (seed === undefined || seed === snapshot.seed) return sandbox;
  const advice = 'leave --seed out, or name another file';
  throw new Failure(1, `${quoted(file.name)} has the seed ${snapshot.seed}, not ${seed}: ${advice}`);
}
