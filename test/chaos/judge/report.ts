import { labelOf } from '../plan/phases.js';
import type { Evidence, WireRequest } from './evidence.js';
import { FIGURES, type Finding, groupBy, idOf } from './judge.js';

/** What one part of a run has shown. */
export interface PartResult {
  readonly label: string;
  /** What it was made of. */
  readonly volume: string;
  readonly findings: readonly Finding[];
  /** All that is known about a finding. */
  readonly storyOf: (finding: Finding) => readonly string[];
  /** The options that repeat it. */
  readonly repeat: string;
}

/** How many findings of each figure are shown in full. */
const SHOWN = 5;

/** What a phase was made of: calls, requests, faults, effects. */
export function volumeOf(evidence: Evidence, connections: number): string {
  const { phase, plans, ends, wire, faults, effects, effectOf, journal } = evidence;
  const struck = [...faults.values()].reduce((sum, count) => sum + count, 0);
  const found = new Set(plans.map(effectOf).filter((name = '') => effects.has(name))).size;
  const outcomes = ends.map(({ ok, error }) => (ok ? 'succeeded' : (error?.outcome ?? 'no outcome')));
  return [
    `${labelOf(phase)}: ${phase.processes} processes, ${plans.length} calls, ${wire.length} requests, ${connections} connections, ${struck} faults, ${found} effects`,
    `  ends: ${counted(outcomes)}`,
    `  errors: ${counted(ends.flatMap(({ error }) => error?.name ?? []))}`,
    `  faults: ${listed(faults)}`,
    `  the service: ${counted(journal.map(({ verdict }) => verdict))}`,
  ].join('\n');
}

/** One line a part: how much of each figure there is. */
export function tableOf(results: readonly PartResult[]): string {
  const width = Math.max(...results.map(({ label }) => label.length), 5);
  const row = (first: string, cellOf: (figure: string) => string) =>
    [first.padEnd(width), ...FIGURES.map((figure) => cellOf(figure).padEnd(figure.length))].join('  ');
  const rows = results.map(({ label, findings }) =>
    row(label, (name) => String(findings.filter(({ figure }) => figure === name).length)),
  );
  return [row('phase', (figure) => figure), ...rows].join('\n');
}

/** What is wrong in a part, with the evidence and the command that repeats it. */
export function failuresOf({ findings, storyOf, repeat }: PartResult): string {
  const shown = FIGURES.flatMap((figure) => findings.filter((finding) => finding.figure === figure).slice(0, SHOWN));
  const texts = shown.map((finding) => [`${finding.figure}: ${finding.what}`, ...storyOf(finding)].join('\n'));
  const more = findings.length - shown.length;
  return [...texts, ...(more > 0 ? [`… and ${more} more`] : []), `Repeat it with: npm run chaos -- ${repeat}`].join(
    '\n\n',
  );
}

/** How many requests before and after a refused one are shown: one of them has overtaken it. */
const AROUND = 8;

/** All that is known of a call and of its twin: plans, ends, requests, and what the service did with them. */
export function storyOf({ figure, id = -1 }: Finding, evidence: Evidence): string[] {
  const { plans, ends, wire } = evidence;
  const plan = plans[id];
  const group = plans.filter(({ subject, kind }) => subject === plan?.subject && kind === plan.kind);
  const story = group.flatMap((one) => [
    `  call ${JSON.stringify(one)}`,
    ...ends.filter((end) => end.id === one.id).map((end) => `    end ${JSON.stringify(end)}`),
    ...wire.filter(({ tag }) => idOf(tag) === one.id).map((request) => lineOf(request, evidence)),
  ]);
  const last = wire.findLast(({ tag }) => idOf(tag) === id);
  if (figure !== 'refused nonces' || last === undefined) return story;
  const ofKey = wire.filter(({ apiKey }) => apiKey === last.apiKey);
  const place = ofKey.indexOf(last);
  const around = ofKey.slice(Math.max(0, place - AROUND), place + AROUND);
  return [...story, '  around it, in the order in which they were read', ...around.map((one) => lineOf(one, evidence))];
}

function lineOf({ connection, at, method, path, nonce, key, tag }: WireRequest, { journal }: Evidence): string {
  // Several API keys may have the same nonce, but not for the same path and key.
  const seen = journal.filter((entry) => entry.nonce === nonce && entry.key === key && entry.path === path);
  const verdicts = seen.map(({ verdict, fault, status }) => [verdict, fault, status].filter(Boolean).join(' '));
  const place = `    +${at} ms, connection ${connection}, call ${tag}`;
  return `${place}: ${method} ${path} nonce ${nonce} key ${key ?? 'none'}: ${verdicts.join('; ') || 'never judged'}`;
}

/** The names with how often each is among them, the most frequent first. */
export const counted = (names: readonly string[]): string =>
  listed(new Map([...groupBy(names, String)].map(([name, same]) => [name, same.length])));

function listed(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
  return parts.join(', ') || 'none';
}
