import { once } from 'node:events';
import { reply, start } from '../lanes/child.js';

/** Runs `use` against the service, which gives so many pages of a list. */
export async function withService<T>(pages: number, use: (url: string) => Promise<T>): Promise<T> {
  const service = start('../scale/service-process.ts', { pages });
  try {
    return await use(await reply<string>(service));
  } finally {
    service.disconnect();
    await once(service, 'exit');
  }
}

/** What a file of this folder reports, in a process of its own that can collect its garbage before it looks. */
export async function reportOf<T>(file: string, argument: unknown): Promise<T> {
  const child = start(`../scale/${file}`, argument, ['--expose-gc']);
  const exit = once(child, 'exit');
  const report = await reply<T>(child);
  await exit;
  return report;
}
