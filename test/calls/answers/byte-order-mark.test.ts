import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/index.js';
import { MAX_ERROR_BODY_BYTES } from '../../../src/response/api-error.js';
import { failure, GET, KEYED, scene, UNKEYED, USER, WAYS } from '../../support/scene.js';
import { type Answer, html, json, rightAnswer, status, userOf } from '../../support/service.js';

const MARK = '\uFEFF';
const marked = (answer: Answer): Answer => ({ ...answer, body: `${MARK}${answer.body}` });

describe.concurrent.each(WAYS)('a byte order mark before the JSON of a response is skipped (%s)', (over) => {
  it('in the response to a read and to a write', () =>
    scene({ over, client: { maxRetries: 0 } }, async ({ service, client }) => {
      service.script = (request) => marked(rightAnswer(request));
      expect(await GET.invoke(client)).toMatchObject({ id: USER });
      expect(await KEYED.invoke(client)).toEqual({ key: 'cold', tag: null });
      expect(await UNKEYED.invoke(client)).toEqual({ done: true });
      expect(service.requests).toHaveLength(3);
    }));

  it.each([
    [409, 'not_applied'],
    [500, 'unknown'],
    [501, 'not_applied'],
  ] as const)('in a rejection with status %i, which keeps its code and is not retried', (number, outcome) =>
    scene({ over }, async ({ service, client }) => {
      service.script = () => marked(status(number));
      const causes = [{ field: 'key' }];
      const { code } = JSON.parse(String(status(number).body)).error;
      const error = await failure(KEYED.invoke(client), ApiError, { code, outcome, body: undefined });
      service.script = () => marked(json(number, { error: { code, causes } }));
      expect(await failure(KEYED.invoke(client), ApiError)).toMatchObject({ code, causes });
      expect(error.attempts.count).toBe(1);
      expect(service.requests).toHaveLength(2);
    }),
  );

  it('in a rejection that is too long to be read as a whole', () =>
    scene({ over }, async ({ service, client }) => {
      const error = { code: 'conflict', detail: 'x'.repeat(MAX_ERROR_BODY_BYTES) };
      service.script = () => marked(json(409, { error }));
      await failure(KEYED.invoke(client), ApiError, { code: 'conflict' });
    }));
});

describe.concurrent('a byte order mark that is not before JSON', () => {
  it('leaves the page of a proxy a page, and the mark out of the error', () =>
    scene({ answers: [marked(html(403))] }, async ({ client }) => {
      await failure(KEYED.invoke(client), ApiError, { code: '', body: html(403).body });
    }));

  it('stays in the values of a response', () =>
    scene({ answers: [json(200, { data: { ...userOf(USER), note: MARK } })] }, async ({ client }) => {
      expect(await GET.invoke(client)).toMatchObject({ note: MARK });
    }));
});
