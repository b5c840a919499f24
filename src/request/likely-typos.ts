import { type InputMembers, membersOf } from '../schema/input-members.js';
import type { LazySchema, Operation } from '../schema/operation.js';
import { misspeltName } from '../util/did-you-mean.js';
import { isRecord } from '../util/options.js';
import { clipped, printable } from '../util/printable.js';

/** A part of an input that is sent as it is, although another was probably meant. */
export interface LikelyTypo {
  /** `name`: the name of a member is near a known one. `text`: an unknown text of an open set. */
  readonly kind: 'name' | 'text';
  /** Path of the member, for example `in_ammount` or `events[1]`. */
  readonly path: string;
  readonly meant: string | undefined;
}

/** Characters of an unknown name that are shown. */
const MAX_NAME_LENGTH = 64;

/** Finds what looks misspelt in a query or body that an operation sends as it is. */
export function likelyTypos(
  { knownTexts = {} }: Operation,
  schema: LazySchema | undefined,
  value: unknown,
): LikelyTypo[] {
  const members = schema && membersOf(schema);
  if (members === undefined || !isRecord(value)) return [];
  const texts = Object.entries(knownTexts).flatMap(([name, known]) => unknownTexts(value[name], name, known));
  return [...misspeltIn(value, members, ''), ...texts];
}

function misspeltIn(value: Record<string, unknown>, { parts, open }: InputMembers, place: string): LikelyTypo[] {
  return Object.entries(value).flatMap(([name, member]): LikelyTypo[] => {
    const inner = parts.get(name)?.members;
    if (inner !== undefined && isRecord(member)) return misspeltIn(member, inner, `${place}${name}.`);
    if (inner !== undefined && Array.isArray(member))
      return member.flatMap((item, index) =>
        isRecord(item) ? misspeltIn(item, inner, `${place}${name}[${index}].`) : [],
      );
    const meant = open && !parts.has(name) && member !== undefined ? misspeltName(name, [...parts.keys()]) : undefined;
    // A name that is there beside the known one was chosen, for example address_2 beside address.
    if (meant === undefined || value[meant] !== undefined) return [];
    return [{ kind: 'name', path: place + printable(clipped(name, MAX_NAME_LENGTH)), meant }];
  });
}

function unknownTexts(list: unknown, name: string, known: readonly string[]): LikelyTypo[] {
  const texts = Array.isArray(list) ? list : [];
  return texts.flatMap((text: unknown, index) => {
    if (typeof text !== 'string' || known.includes(text)) return [];
    return [{ kind: 'text', path: `${name}[${index}]`, meant: misspeltName(text, known) }];
  });
}
