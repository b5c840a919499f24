import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measured, measureInstalled } from './lanes/sdk.js';

/** One scenario of a bench. `Scale` says how long it may take. */
interface Scenario<Scale> {
  readonly title: string;
  readonly run: (scale: Scale) => Promise<void>;
}

/** Runs the scenarios that the command line names, or all of them: `[scenario…] [--short] [--package DIR]`. */
export async function runScenarios<Scale>(
  scenarios: Readonly<Record<string, Scenario<Scale>>>,
  scaleOf: (short: boolean) => Scale,
): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false }, package: { type: 'string' } },
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(scenarios, name));
  if (unknown.length > 0)
    throw new Error(`no scenario ${unknown.join(', ')}; known are ${Object.keys(scenarios).join(', ')}`);
  if (values.package !== undefined) measureInstalled(resolve(values.package));

  const scale = scaleOf(values.short);
  console.log(`${measured()}, Node ${process.versions.node}, ${cpus().length} cores${values.short ? ', short' : ''}\n`);
  for (const [name, { title, run }] of Object.entries(scenarios)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    console.log(`### ${name}: ${title}\n`);
    await run(scale);
    console.log();
  }
}
