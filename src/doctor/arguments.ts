import { parseArgs } from 'node:util';
import { nearestName } from '../util/did-you-mean.js';
import { printable } from '../util/printable.js';

/** Ends the program: the command line or the environment is wrong. */
export class WrongUse extends Error {}

const OPTIONS = {
  'base-url': { type: 'string' },
  timeout: { type: 'string' },
  tolerance: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

export type Values = { readonly [Name in keyof typeof OPTIONS]?: string | undefined };

/** The words of the command line. */
export interface Words {
  readonly names: readonly string[];
  readonly values: Values;
  readonly isJson: boolean;
  readonly shows: 'help' | 'version' | undefined;
}

/** @throws WrongUse for an unknown option, or one without its value. */
export function readWords(args: readonly string[]): Words {
  const { tokens } = parseArgs({
    ...{ args: [...args], options: OPTIONS, strict: false, allowPositionals: true, tokens: true },
  });
  const names: string[] = [];
  const values: Record<string, string> = {};
  for (const token of tokens) {
    if (token.kind === 'positional') names.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.entries(OPTIONS).find(([name]) => name === token.name)?.[1];
    if (option === undefined) throw new WrongUse(`there is no option ${shown(token.rawName)}${suggestion(token.name)}`);
    if (option.type === 'string' && !token.value) throw new WrongUse(`${token.rawName} needs a value`);
    values[token.name] = token.value ?? '';
  }
  const shows = (['help', 'version'] as const).find((name) => name in values);
  return { names, values, isJson: 'json' in values, shows };
}

/** Returns a number of an option. */
export function numberOf(values: Values, name: 'timeout' | 'tolerance', fallback: number): number {
  const text = values[name];
  if (text === undefined) return fallback;
  if (/^\d{1,9}$/.test(text) && (name === 'tolerance' || Number(text) > 0)) return Number(text);
  throw new WrongUse(`--${name} must be a whole number`);
}

/** Returns a variable of the environment. Its value is as it was set, with all white space. */
export function variable(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw new WrongUse(`${name} is not set: the doctor takes keys and secrets from the environment alone`);
}

function suggestion(name: string): string {
  const nearest = nearestName(name, Object.keys(OPTIONS));
  return nearest === undefined ? '' : `: did you mean --${nearest}?`;
}

const shown = (text: string): string => printable(JSON.stringify(text));
