import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Report } from './reporting-caller.js';

const caller = fileURLToPath(new URL('./reporting-caller.ts', import.meta.url));

/**
 * Calls from a process of its own, where an error that nobody catches is seen as such, and where more certificates can be trusted
 * (`NODE_EXTRA_CA_CERTS` is read at the start only).
 */
export async function callFrom(
  url: string,
  nonceOrder: string,
  maxRetries: number,
  trusted?: string,
): Promise<Report & { readonly code: number | null }> {
  const child = spawn(process.execPath, ['--import', 'tsx', caller, url, nonceOrder, String(maxRetries)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: trusted === undefined ? process.env : { ...process.env, NODE_EXTRA_CA_CERTS: trusted },
  });
  let [text, complaints] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const watchdog = setTimeout(() => child.kill('SIGKILL'), 18_000);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(watchdog);
  if (text === '') throw new Error(`the process ended with ${code}: ${complaints}`);
  return { ...(JSON.parse(text) as Report), code };
}
