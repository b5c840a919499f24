import { printable } from '../../../util/printable.js';
import { Failure } from '../output/failure.js';
import { shellWord } from '../output/text.js';

/** A variable for a client, with its name in the environment. */
export type Variable = readonly [name: string, value: string];

/** Functions that format a variable for each language or tool. */
const FORMS: Readonly<Record<string, (variable: Variable) => string>> = {
  sh: ([name, value]) => `export ${name}=${shellWord(value)}`,
  fish: ([name, value]) => `set -gx ${name} ${escapedQuoted(value)}`,
  powershell: ([name, value]) => `$env:${name} = '${plain(value).replaceAll("'", "''")}'`,
  dotenv: ([name, value]) => `${name}=${shellWord(value)}`,
  python: ([name, value]) => `os.environ["${name}"] = ${doubleQuoted(value)}`,
  ruby: ([name, value]) => `ENV["${name}"] = ${doubleQuoted(value)}`,
  php: ([name, value]) => `putenv(${escapedQuoted(`${name}=${value}`)});`,
  go: ([name, value]) => `os.Setenv("${name}", ${doubleQuoted(value)})`,
  java: ([name, value]) => `static final String ${name} = ${doubleQuoted(value)};`,
  typescript: ([name, value]) => `process.env.${name} = ${doubleQuoted(value)};`,
};

export const LANGUAGES: readonly string[] = Object.keys(FORMS);

/**
 * Returns one line for each variable.
 *
 * @throws Failure (1) for a value with characters that cannot be printed.
 */
export function exportLines(language: string, variables: readonly Variable[]): string {
  const first = language === 'python' ? ['import os'] : [];
  const lines = variables.map((variable) => FORMS[language]?.(variable) ?? '');
  return [...first, ...lines].join('\n');
}

function plain(text: string): string {
  if (printable(text) === text) return text;
  throw new Failure(1, 'a value has characters that cannot be printed');
}

function escapedQuoted(text: string): string {
  return `'${plain(text).replace(/[\\']/g, '\\$&')}'`;
}

/** In none of the languages `$` or `#` needs escaping here: URLs and base64 contain neither. */
function doubleQuoted(text: string): string {
  if (/[$#]/.test(text)) throw new Failure(1, 'a value has characters that a language would replace');
  return JSON.stringify(plain(text));
}
