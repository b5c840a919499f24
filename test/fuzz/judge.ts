import { ApiError, PartnerError } from '../../src/index.js';
import type { Parser, Reading } from './parsers.js';

/** How a call ended. */
export type Ending =
  | { readonly value: { readonly id?: unknown }; readonly ms: number }
  | { readonly error: unknown; readonly ms: number };

/** A call ends sooner, whatever the service sends. Machines are shared: it is far above `attemptTimeout`. */
const SLOW_MS = 10_000;

/** Returns what is wrong about the end of a call that got these bytes, or undefined. */
export async function problemOf(
  parsers: readonly Parser[],
  bytes: Buffer,
  id: string,
  ending: Ending,
): Promise<string | undefined> {
  if (ending.ms > SLOW_MS) return `the call took ${Math.round(ending.ms)} ms`;
  if ('error' in ending) {
    if (!(ending.error instanceof PartnerError)) return `an error of no class of ours: ${String(ending.error)}`;
    if (!(ending.error instanceof ApiError)) return undefined;
    return statusProblem(parsers, bytes, ending.error.response.status);
  }
  // An answer may lack members, its id among them.
  const { id: found } = ending.value;
  if (found !== id && found !== undefined) return `a value of another call: ${String(found)}`;
  return valueProblem(parsers, bytes, found);
}

/** A value is what every strict reader finds in the same bytes. */
async function valueProblem(
  parsers: readonly Parser[],
  bytes: Buffer,
  id: string | undefined,
): Promise<string | undefined> {
  for (const parser of parsers) {
    const { name } = parser;
    const reading = await parser.read(bytes);
    if (reading === 'abstains') continue;
    if (reading?.isComplete !== true) return `a value where ${name} finds no whole answer`;
    if (reading.status < 200 || reading.status > 299) return `a value where ${name} reads status ${reading.status}`;
    if (idOf(reading) !== id) return `a value where ${name} reads ${reading.body.toString('latin1').slice(0, 200)}`;
  }
  return undefined;
}

async function statusProblem(parsers: readonly Parser[], bytes: Buffer, status: number): Promise<string | undefined> {
  for (const parser of parsers) {
    const { name } = parser;
    const reading = await parser.read(bytes);
    if (reading === 'abstains' || reading?.status === status) continue;
    return `status ${status} where ${name} reads ${reading?.status ?? 'nothing'}`;
  }
  return undefined;
}

function idOf({ body }: Reading): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)).data.id;
  } catch {
    return undefined;
  }
}
