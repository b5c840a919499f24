import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Output } from '../../src/sandbox/cli/output.js';

test('what happens before it has said where it listens is said after it', async () => {
  const stream = new PassThrough();
  const output = new Output(stream);
  output.write('delivery');
  output.begin('listening\n# more');
  output.write('request');
  await output.flushed();
  stream.end();
  expect(await text(stream)).toBe('listening\n# more\ndelivery\nrequest\n');
});

test('when nobody reads any more, it tells why and drops what follows', async () => {
  const stream = new PassThrough();
  const output = new Output(stream);
  output.begin('listening');
  stream.destroy(new Error('broken pipe'));
  expect(await output.broken).toEqual(new Error('broken pipe'));
  output.write('request');
  await output.flushed();
});
