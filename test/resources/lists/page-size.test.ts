import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ResponseValidationError } from '../../../src/index.js';
import { ACCOUNT } from '../support/operations.js';
import { webhook } from '../support/samples.js';
import { json, rejection, startService } from '../support/service.js';

const service = startService();
const MODES = ['tolerant', 'strict', 'warn'] as const;

describe.each(MODES)('a page in %s mode', (responseValidation) => {
  const page = (items: number) => json({ data: Array(items).fill(webhook) });

  it('may have 1,000 items', async () => {
    service.answer(() => page(1_000));
    expect((await service.client({ responseValidation }).webhooks.list()).items).toHaveLength(1_000);
  });

  it('is refused with more', async () => {
    service.answer(() => page(1_001));
    const error = await rejection(() => service.client({ responseValidation }).webhooks.list());
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ issues: [{ path: 'data', message: 'has 1001 items, more than 1000' }] });
  });
});

describe('what is no page', () => {
  it('may have more than 1,000 items', async () => {
    service.answerJson({ data: Array(1_500).fill({ symbol: 'BTC' }), quote_symbol: 'USD', quote_type: 'fiat' });
    expect((await service.client().accounts.portfolio.details(ACCOUNT)).items).toHaveLength(1_500);
  });

  it('is refused with more than 200,000 values, also by request()', async () => {
    service.answer(() => new Response(`{"data":[${Array(200_001).fill('0').join()}]}`));
    const error = await rejection(service.client().request({ method: 'GET', path: '/v1/reports' }));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ issues: [{ path: '', message: 'the answer has more than 200000 values' }] });
  });
});

describe('a schema of the caller that overflows the stack on an answer', () => {
  type Nested = readonly Nested[];
  const nested: z.ZodType<Nested> = z.lazy(() => z.array(nested));
  const deep = `{"data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;

  it.each(['tolerant', 'strict'] as const)('refuses it in %s mode', async (responseValidation) => {
    service.answer(() => new Response(deep));
    const call = service.client({ responseValidation }).request({ method: 'GET', path: '/v1/tree', schema: nested });
    expect(await rejection(call)).toBeInstanceOf(ResponseValidationError);
  });
});
