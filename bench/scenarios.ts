import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measured, measureInstalled } from './lanes/sdk.js';

/** The length of a run. */
export interface Scale {
  /** Rounds of each variant, interleaved with those of the others. */
  readonly rounds: number;
  /** The share of the full load, above 0 to 1. */
  readonly share: number;
  /** The seconds of a load, at least 1 when it is shortened. */
  seconds(full: number): number;
}

/** @param share Of the full load, with `--short`. */
export function scale(rounds: number, share = 1): Scale {
  return { rounds, share, seconds: (full) => (share === 1 ? full : Math.max(1, full * share)) };
}

/** One scenario of a bench. `Length` says how long it may take. */
interface Scenario<Length> {
  readonly title: string;
  readonly run: (length: Length) => Promise<void>;
}

/** Runs the scenarios that the command line names, or all of them: `[scenario…] [--short] [--package DIR]`. */
export async function runScenarios<Length>(
  scenarios: Readonly<Record<string, Scenario<Length>>>,
  lengthOf: (short: boolean) => Length,
): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false }, package: { type: 'string' } },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(scenarios, name));
  if (unknown.length > 0)
    throw new Error(`no scenario ${unknown.join(', ')}; known are ${Object.keys(scenarios).join(', ')}`);
  if (values.package !== undefined) measureInstalled(resolve(values.package));

  const length = lengthOf(values.short);
  console.log(`${measured()}, Node ${process.versions.node}, ${cpus().length} cores${values.short ? ', short' : ''}\n`);
  for (const [name, { title, run }] of Object.entries(scenarios)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    console.log(`### ${name}: ${title}\n`);
    await run(length);
    console.log();
  }
}
