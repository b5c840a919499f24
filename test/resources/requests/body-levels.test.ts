import { describe, expect, it } from 'vitest';
import { RequestValidationError } from '../../../src/index.js';
import { rejection, startService } from '../support/service.js';

const service = startService();

/** So many objects and arrays in each other, by turns. */
function nested(levels: number): unknown {
  let value: unknown = 'innermost';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { member: value };
  return value;
}

const send = (body: unknown) => service.client().request({ method: 'POST', path: '/v1/things', body });

describe('a body', () => {
  it('of 100 levels is sent', async () => {
    service.answerJson({ data: 'ok' });
    expect(await send(nested(100))).toBe('ok');
    expect(JSON.parse(service.only.body)).toEqual(nested(100));
  });

  it.each([101, 4_000, 100_000])('of %i levels is refused before sending', async (levels) => {
    const error = await rejection(send(nested(levels)));
    expect(error).toBeInstanceOf(RequestValidationError);
    const message = expect.stringContaining('more than 100 levels');
    expect((error as RequestValidationError).issues).toEqual([{ path: 'body', message }]);
    expect(service.received).toHaveLength(0);
  });

  it('that contains itself is refused before sending', async () => {
    const body: Record<string, unknown> = {};
    body['self'] = { body };
    expect(await rejection(send(body))).toBeInstanceOf(RequestValidationError);
    expect(service.received).toHaveLength(0);
  });
});
