import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a file of this folder as a process of its own, with one argument. */
export function start(file: string, argument: unknown): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [JSON.stringify(argument)]);
}

/** The next thing that the process says; rejects when it ends without a word. */
export async function reply<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const gone = () => ended.abort(new Error('a process of the bench ended: see what it wrote'));
  child.once('exit', gone);
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [T];
    return message;
  } finally {
    child.off('exit', gone);
  }
}
