import type { Issue } from '../errors.js';
import { Decimal } from '../schema/decimal.js';
import { type InputMembers, type InputPart, membersOf } from '../schema/input-members.js';
import type { LazySchema, Operation, OperationInput } from '../schema/operation.js';
import { writtenOut } from '../schema/parse-decimal.js';
import { validate } from '../schema/validate/validate.js';
import { misspeltName, nearestName } from '../util/did-you-mean.js';
import { copyMembers, type Members, membersNamed, ownMember } from '../util/members.js';
import { isRecord } from '../util/options.js';
import { clipped, printable } from '../util/printable.js';
import { OPTION_NAMES } from './options.js';

/**
 * Copies the input of an operation, so that later changes by the caller have no effect. Adds an
 * issue for each rule that the input breaks.
 */
export function readInput(operation: Operation, given: OperationInput, issues: Issue[]) {
  const params = ownMember(given, 'params') ?? {};
  const query = copyInput(operation.query, ownMember(given, 'query') ?? (operation.query && {}), operation, issues);
  const body = copyInput(operation.body, ownMember(given, 'body'), operation, issues);
  issues.push(...validate(operation.params, params));
  issues.push(...validate(operation.query, query).map((issue) => placed(issue, 'query')));
  issues.push(...validate(operation.body, body).map((issue) => placed(issue, 'body')));
  return { params: params as Readonly<Record<string, string>>, query, body };
}

/** An issue about the whole query or body has no path, so it gets the name `query` or `body`. */
const placed = (issue: Issue, whole: string): Issue => (issue.path === '' ? { ...issue, path: whole } : issue);

/**
 * Copies a query or body by its schema; each member is read once. An unknown member, at any depth,
 * is an issue unless the operation is open there. A value without a schema is returned unchanged.
 */
function copyInput(schema: LazySchema | undefined, value: unknown, { name }: Operation, issues: Issue[]): unknown {
  const members = schema && membersOf(schema);
  if (members === undefined || !isRecord(value)) return value;
  const copy = new InputCopy(name, issues);
  return copy.object(value, members, '');
}

/**
 * Puts members into the order of the operation. The body of a retry that is built anew, perhaps by
 * another program, is then the same string: the service may reject an idempotency key that comes
 * with another body.
 */
function inOrder(copy: Members, { parts }: InputMembers): Members {
  const known = [...parts.keys()].filter((name) => Object.hasOwn(copy, name));
  return Object.assign(membersNamed(copy, known), copy);
}

/** A message names no more known members than this. */
const MAX_SHOWN = 20;

/** Copies a query or body, and notes its unknown members. */
class InputCopy {
  readonly #operation: string;
  readonly #issues: Issue[];

  constructor(operation: string, issues: Issue[]) {
    this.#operation = operation;
    this.#issues = issues;
  }

  object(value: object, members: InputMembers, place: string): unknown {
    const copy = inOrder(copyMembers(value, members.parts), members);
    for (const name of Object.keys(copy)) {
      const part = members.parts.get(name);
      if (part !== undefined) copy[name] = this.#part(copy[name], part, `${place}${name}`);
      else if (!members.open && copy[name] !== undefined)
        this.#issues.push({ path: place + name, message: this.#advice(name, members, place === '') });
    }
    return copy;
  }

  #part(value: unknown, part: InputPart, place: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item, index) => this.#item(item, part, `${place}.${index}`));
    if (part.members !== undefined) return this.object(value, part.members, `${place}.`);
    // The rules reject an amount that is too long to be written.
    return part.isAmount && Decimal.isDecimal(value) ? (writtenOut(value as Decimal) ?? value) : value;
  }

  /** No operation has a list in a list: its rules reject one, at any depth. */
  #item(item: unknown, part: InputPart, place: string): unknown {
    return Array.isArray(item) ? item : this.#part(item, part, place);
  }

  #advice(name: string, { parts }: InputMembers, isTop: boolean): string {
    const known = [...parts.keys()].sort();
    const meant = nearestName(name, known);
    const option = isTop ? nearestName(name, OPTION_NAMES) : undefined;
    if (isTop && OPTION_NAMES.has(name)) return 'belongs to the options, the next argument';
    if (meant !== undefined) return `is unknown here: did you mean ${meant}?`;
    if (option !== undefined)
      return `is unknown here: did you mean ${option}? It belongs to the options, the next argument`;
    const list = `${known.slice(0, MAX_SHOWN).join(', ')}${known.length > MAX_SHOWN ? ', …' : ''}`;
    return `is unknown to ${this.#operation}, which knows ${list}. To send a member that the service has added since, use client.request()`;
  }
}

/** A part of an input that is sent unchanged, although another was probably meant. */
export interface LikelyTypo {
  /** `name`: a member's name resembles a known one. `text`: an unknown string of an open set. */
  readonly kind: 'name' | 'text';
  /** Path of the member, for example `in_ammount` or `events[1]`. */
  readonly path: string;
  readonly meant: string | undefined;
}

/** Maximum number of characters of an unknown name that are shown. */
const MAX_NAME_LENGTH = 64;

/** Finds what looks misspelt in a query or body that an operation sends unchanged. */
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
    // A name next to the known one is intended, for example address_2 next to address.
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
