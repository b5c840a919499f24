import { describe, expect, it } from 'vitest';
import { labelOf } from '../../../src/resources/labels.js';
import { operations } from '../../../src/resources/operations.js';
import { readQuery } from '../../../src/sandbox/service/validate/query.js';
import { unknownMembers } from '../../../src/sandbox/service/validate/unknown-members.js';
import { membersOf } from '../../../src/schema/input-members.js';

const withBody = operations.flatMap(({ name, body }) => (body === undefined ? [] : [{ name, body }]));
const withQuery = operations.flatMap(({ name, query }) => (query === undefined ? [] : [{ name, query }]));

describe('a member that an input does not name', () => {
  it.each(withBody)('of $name is taken in its body if the client sends it, and refused otherwise', ({ body }) => {
    const causes = unknownMembers(body(), { not_named: { any: ['value'] } });
    expect(causes).toEqual(membersOf(body)?.open ? [] : [{ field: 'not_named', message: 'is not known' }]);
  });

  it.each(withQuery)('of $name is taken in its query if the client sends it, and refused otherwise', ({ query }) => {
    const { values, causes } = readQuery('not_named=1&not_named=2', query());
    if (membersOf(query)?.open) expect({ values, causes }).toEqual({ values: { not_named: ['1', '2'] }, causes: [] });
    else expect(causes).toEqual([{ field: 'not_named', message: 'is not a known query parameter' }]);
  });

  it('is one of an operation of which parts are not known', () => {
    const isOpen = ({ body, query }: (typeof operations)[number]) =>
      [body, query].some((schema) => schema !== undefined && membersOf(schema)?.open);
    const open = operations.filter(isOpen);
    expect(open.map(({ name }) => name)).toContain('users.create');
    expect(open.filter((one) => labelOf(one).stability === 'specified').map(({ name }) => name)).toEqual([]);
  });
});
