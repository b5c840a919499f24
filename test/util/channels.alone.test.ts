import { afterEach, describe, expect, it, vi } from 'vitest';
import { channelOf } from '../../src/util/channels.js';

describe('a diagnostics channel', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is a silent one where process.getBuiltinModule gives nothing, or throws as in the edge runtime of Next.js', () => {
    const getBuiltinModule = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    expect(channelOf('test:channel').hasSubscribers).toBe(false);
    getBuiltinModule.mockImplementation(() => {
      throw new Error('A Node.js API is used which is not supported in the Edge Runtime.');
    });
    expect(channelOf('test:channel').hasSubscribers).toBe(false);
  });
});
