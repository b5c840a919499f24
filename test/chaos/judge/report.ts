import { labelOf } from '../plan/phases.js';
import type { PhaseResult } from '../run.js';
import type { Evidence, WireRequest } from './evidence.js';
import { countBy, FIGURES, type Finding } from './judge.js';

/** How many findings of each figure are shown in full. */
const SHOWN = 5;

/** What a phase was made of: calls, requests, faults, effects. */
export function volumeOf({ phase, evidence, connections, seconds }: PhaseResult): string {
  const { plans, ends, wire, faults, effects, effectOf } = evidence;
  const struck = [...faults.values()].reduce((sum, count) => sum + count, 0);
  const wanted = new Set(plans.map(effectOf));
  const found = [...effects].filter(([name]) => wanted.has(name)).length;
  const outcomes = countBy(ends.map(({ ok, error }) => (ok ? 'succeeded' : (error?.outcome ?? 'no outcome'))));
  const processes = phase.processes === 1 ? '1 process' : `${phase.processes} processes`;
  return [
    `${labelOf(phase)}: ${processes}, ${plans.length} calls, ${wire.length} requests, ${connections} connections, ${struck} faults, ${found} effects, ${seconds.toFixed(1)} s`,
    `  ends: ${listed(outcomes)}`,
    `  errors: ${listed(countBy(ends.flatMap(({ error }) => error?.name ?? [])))}`,
    `  faults: ${listed(faults)}`,
    `  the service: ${listed(countBy(evidence.journal.map(({ verdict }) => verdict)))}`,
  ].join('\n');
}

/** One line a phase: how much of each figure there is. */
export function tableOf(results: readonly PhaseResult[]): string {
  const head = ['phase', ...FIGURES];
  const rows = results.map(({ phase, findings }) => [
    labelOf(phase),
    ...FIGURES.map((figure) => String(findings.filter((finding) => finding.figure === figure).length)),
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}

/** What is wrong in a phase, with the evidence and the command that repeats it. */
export function failuresOf({ evidence, findings }: PhaseResult, command: string): string {
  const shown = FIGURES.flatMap((figure) => findings.filter((finding) => finding.figure === figure).slice(0, SHOWN));
  const texts = shown.map((finding) => describe(finding, evidence));
  const more = findings.length - shown.length;
  return [...texts, ...(more > 0 ? [`… and ${more} more`] : []), `Repeat it with: ${command}`].join('\n\n');
}

function describe({ figure, what, id }: Finding, evidence: Evidence): string {
  const plan = id === undefined ? undefined : evidence.plans[id];
  if (plan === undefined) return `${figure}: ${what}`;
  const group = evidence.plans.filter(({ subject, kind }) => subject === plan.subject && kind === plan.kind);
  const story = group.flatMap((one) => storyOf(one.id, evidence));
  return [`${figure}: ${what}`, ...story, ...(figure === 'refused nonces' ? aroundOf(plan.id, evidence) : [])].join(
    '\n',
  );
}

/** All that is known of a call: plan, end, requests, and what the service did with them. */
function storyOf(id: number, evidence: Evidence): string[] {
  const { plans, ends, wire } = evidence;
  return [
    `  call ${JSON.stringify(plans[id])}`,
    ...ends.filter((end) => end.id === id).map((end) => `    end ${JSON.stringify(end)}`),
    ...wire.filter(({ tag }) => idOf(tag) === id).map((request) => `    ${lineOf(request, evidence)}`),
  ];
}

/** How many requests before and after a refused one are shown: one of them has overtaken it. */
const AROUND = 8;

function aroundOf(id: number, evidence: Evidence): string[] {
  const last = evidence.wire.findLast(({ tag }) => idOf(tag) === id);
  const ofKey = evidence.wire.filter(({ apiKey }) => apiKey === last?.apiKey);
  const place = last === undefined ? 0 : ofKey.indexOf(last);
  const around = ofKey.slice(Math.max(0, place - AROUND), place + AROUND);
  return ['  around it, in the order in which they were read', ...around.map((one) => `    ${lineOf(one, evidence)}`)];
}

function lineOf({ connection, at, method, path, nonce, key, tag }: WireRequest, { journal }: Evidence): string {
  // Several API keys may have the same nonce, but not for the same path and key.
  const seen = journal.filter((entry) => entry.nonce === nonce && entry.key === key && entry.path === path);
  const verdicts = seen.map(({ verdict, fault, status }) => [verdict, fault, status].filter(Boolean).join(' '));
  const place = `+${at} ms, connection ${connection}, call ${tag}`;
  return `${place}: ${method} ${path} nonce ${nonce} key ${key ?? 'none'}: ${verdicts.join('; ') || 'never judged'}`;
}

const idOf = (tag: string): number => Number.parseInt(tag, 10);

function listed(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
  return parts.join(', ') || 'none';
}
