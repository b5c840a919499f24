import { randomUuid } from '../runtime/crypto.js';

/**
 * Returns a function that draws a name for this process at its first call. A name that was drawn
 * when the source was created would be shared by all clones of a process image: two of them would
 * hold one API key, each as if it were the other.
 */
export function processName(): () => string {
  let name: string | undefined;
  return () => {
    name ??= randomUuid();
    return name;
  };
}
