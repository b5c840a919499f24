import type { Call } from '../../../parts/calls.js';
import { linesOf } from '../../../parts/json-lines.js';
import { momentOf } from '../../../parts/values/times.js';
import type { RequestDetails } from '../../../wire/sandbox.js';
import type { Step } from './story.js';
import type { CallVerdict } from './verdict.js';

interface Report {
  readonly title: string;
  readonly call: Call;
  readonly verdict: CallVerdict;
  readonly steps: readonly Step[];
  /** Undefined: the sandbox does not have the bodies any more. */
  readonly details: RequestDetails | undefined;
}

/**
 * Writes a call as a colleague can paste it into a ticket. It has no secret: the sandbox masks
 * them.
 */
export function markdownOf({ title, call: { last }, verdict, steps, details }: Report): string {
  const { method, path, at, key, instance } = last;
  return [
    `**${title}: ${verdict.title}** ${verdict.text}`,
    '',
    `- \`${method} ${path}\``,
    `- ${momentOf(at)} by the sandbox’s clock`,
    ...(key === undefined ? [] : [`- Idempotency key \`${key}\``]),
    ...(instance === undefined ? [] : [`- Instance \`${instance}\``]),
    '',
    ...steps.map(({ when, what, more }) => `1. ${when}: ${what}${more === '' ? '' : `, ${more}`}`),
    '',
    ...fenced('Request', details?.request?.body?.text),
    ...fenced(`Response ${last.status ?? 'none'}`, details?.response?.body.text),
  ].join('\n');
}

function fenced(name: string, text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  const shown =
    linesOf(text)
      ?.map((line) => line.text)
      .join('\n') ?? text;
  // Text that has a fence of its own needs a longer one.
  const fence = '`'.repeat(Math.max(3, ...(shown.match(/`+/g) ?? []).map(({ length }) => length + 1)));
  return [`${name}:`, '', `${fence}json`, shown, fence, ''];
}
