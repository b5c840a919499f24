import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest, type Parts } from './parts.js';

/** The digests of each part, one for each seed, with blanks between them. */
type Recording = Readonly<Record<string, string>>;

const fileOf = (name: string): string => join(import.meta.dirname, `../recorded/${name}.json`);

/** Returns the parts that differ from what was recorded, with their seeds. `SEEDS_RECORD=NAME` records anew. */
export function differences(name: string, seeds: ReadonlyMap<number, Parts>): string[] {
  const { SEEDS_RECORD: wanted, SEEDS_TEXTS: folder } = process.env;
  if (folder !== undefined) writeTexts(join(folder, name), seeds);
  const found = digestsOf(seeds);
  if (wanted === name) writeFileSync(fileOf(name), `${JSON.stringify(found, undefined, 2)}\n`);
  return compare(JSON.parse(readFileSync(fileOf(name), 'utf8')) as Recording, found, [...seeds.keys()]);
}

function digestsOf(seeds: ReadonlyMap<number, Parts>): Recording {
  const digests = new Map<string, string[]>();
  for (const parts of seeds.values()) {
    for (const [part, text] of parts.texts()) digests.set(part, [...(digests.get(part) ?? []), digest(text)]);
  }
  return Object.fromEntries([...digests].map(([part, all]) => [part, all.join(' ')]));
}

function compare(recorded: Recording, found: Recording, seeds: readonly number[]): string[] {
  const parts = [...new Set([...Object.keys(recorded), ...Object.keys(found)])];
  return parts.flatMap((part) => {
    const [before, after] = [recorded, found].map((recording) => recording[part]?.split(' ') ?? []);
    const differing = seeds.filter((_, place) => before?.[place] !== after?.[place]);
    return differing.length === 0 ? [] : [`${part}: seeds ${differing.join(', ')}`];
  });
}

/** One file for each seed: two folders of two commits are compared with `diff -r`. */
function writeTexts(folder: string, seeds: ReadonlyMap<number, Parts>): void {
  mkdirSync(folder, { recursive: true });
  for (const [seed, parts] of seeds) {
    const sections = [...parts.texts()].map(([part, text]) => `== ${part}\n${text}\n`);
    writeFileSync(join(folder, `seed-${seed}.txt`), sections.join(''));
  }
}
