import { beforeAll, describe, expect, it } from 'vitest';
import { titleOf } from './support/blocks.js';
import { FAILURES } from './support/docstring-names.js';
import { docstrings } from './support/docstrings.js';
import { complexOptions } from './support/option-types.js';
import { compile, run } from './support/run.js';
import { typeErrorsOf } from './support/type-check.js';

const all = docstrings().flatMap(({ name, examples }) => examples.map((example) => ({ name, example })));

describe('the examples of the docstrings', () => {
  it('compile against the sources', { timeout: 360_000 }, () => {
    expect(all.length).toBeGreaterThan(150);
    expect(typeErrorsOf(all.map(({ example }) => example))).toEqual([]);
  });
});

describe('an option that takes a function or an object', () => {
  it('has an example', () => {
    const options = complexOptions();
    expect(options.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'ClientOptions.signer',
        'RequestOptions.signal',
        'WaitOptions.onPoll',
        'TradeOptions.accept',
        'SandboxOptions.deliver',
        'WebhookVerifyInput.headers',
      ]),
    );
    expect(options.filter(({ hasExample }) => !hasExample).map(({ name }) => name)).toEqual([]);
  });
});

describe('an example of a docstring runs against the sandbox', () => {
  beforeAll(() => compile(all.map(({ example }) => example)));

  it.each(all.map(({ name, example }) => [name, titleOf(example), example] as const))(
    '%s (%s)',
    async (name, _, example) => {
      const printed = await run(example);
      // The call fails, and the example prints what it has caught.
      if (name in FAILURES) expect(printed).not.toBe('');
    },
  );
});
