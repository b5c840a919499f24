import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { walletAddress } from '../../../src/sandbox/seed/addresses.js';
import { Random } from '../../../src/sandbox/state/random.js';
import { ADDRESSES } from '../support/addresses.js';
import { directSandbox } from '../support/direct-partner.js';
import { bodies } from '../support/partner.js';

const partner = directSandbox();
afterAll(() => partner.sandbox.close());

const memo = { memo: '7' };
const { ethereum } = ADDRESSES;
const whitelist = (via: string, address: string) =>
  partner.post(`${partner.account}/wallets/whitelist`, { via, address, ...memo }, { 'API-Otp': '1' });
const save = (asset_symbol: string, asset_type: string, address: string) => {
  const body = { ...bodies.address(partner.sandbox.fixtures.methodId, randomUUID()), ...memo };
  return partner.post(`${partner.account}/funds/withdrawals/addresses`, { ...body, asset_symbol, asset_type, address });
};
const quote = (network: string, address: string) => {
  const { from, to } = bodies.onchainQuote;
  return partner.post(`${partner.account}/onchain-quotes`, { from: { ...from, wallet: { network, address } }, to });
};

/** Plausible ones of each network beside that of `ADDRESSES`, and those that cannot be any. */
const SAMPLES: Readonly<Record<string, { readonly good: readonly string[]; readonly bad: readonly string[] }>> = {
  bitcoin: {
    good: [
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
      'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297',
      'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
      'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
      'bc1qexample',
    ],
    bad: ['not an address at all', 'bc1q', 'bc1b508d6qejxtdg4y5r3zarvary0c5xw7k', ethereum, '1A1zP1eP5QGefi0'],
  },
  ethereum: {
    good: [ethereum.toLowerCase(), `0x${'0'.repeat(40)}`],
    bad: ['junk', '0xabc', ethereum.slice(2), `${ethereum}0`, `0x${'g'.repeat(40)}`, ADDRESSES.tron],
  },
  polygon: { good: [], bad: ['junk', ADDRESSES.solana] },
  arbitrum: { good: [], bad: ['junk', ADDRESSES.bitcoin] },
  solana: {
    good: ['So11111111111111111111111111111111111111112', '1'.repeat(32)],
    bad: ['1'.repeat(31), '1'.repeat(45), `${'1'.repeat(40)}0`, ADDRESSES.ethereum],
  },
  tron: { good: [], bad: [ADDRESSES.tron.slice(0, -1), `X${ADDRESSES.tron.slice(1)}`, ADDRESSES.ethereum] },
  xrp: {
    good: ['XVLhHMPHU98es4dbozjVtdWzVrDjtV5AqEL4xcZj5whKbmc'],
    bad: ['rExample', `x${ADDRESSES.xrp.slice(1)}`, ADDRESSES.xlm],
  },
  xlm: { good: [], bad: [ADDRESSES.xlm.toLowerCase(), ADDRESSES.xlm.slice(1), 'G1'] },
  eos: { good: ['alice', 'a'.repeat(12)], bad: ['Alice', 'a'.repeat(14), 'bob9'] },
  cosmos: { good: [], bad: ['cosmos1abc', ADDRESSES.bitcoin, ADDRESSES.cosmos.replace('cosmos', 'cosmoz')] },
};

describe.each(Object.entries(SAMPLES))('an address on %s', (via, { good, bad }) => {
  const own = ADDRESSES[via as keyof typeof ADDRESSES];

  test.each([own, ...good])('may be %s', async (address) => {
    expect((await whitelist(via, address)).status).toBe(200);
  });

  test.each(bad)('is not %s', async (address) => {
    const { status, body } = await whitelist(via, address);
    const causes = [{ field: 'address', message: expect.stringMatching(/^must be (an?|1) /) }];
    expect([status, body.error?.causes]).toEqual([400, causes]);
  });
});

test.each(['sepa', 'fps', 'fedwire', 'ach', 'swift'] as const)(
  'an account number for %s is taken as it is',
  async (via) => {
    expect((await whitelist(via, ADDRESSES[via])).status).toBe(200);
    expect((await whitelist(via, 'whatever the bank calls it')).status).toBe(200);
    expect((await whitelist(via, '  ')).status).toBe(400);
  },
);

test.each<[symbol: string, type: string, good: readonly string[], bad: readonly string[]]>([
  ['BTC', 'crypto', [ADDRESSES.bitcoin], ['not an address at all', ADDRESSES.ethereum]],
  ['ETH', 'crypto', [ADDRESSES.ethereum], ['junk', ADDRESSES.bitcoin]],
  ['SOL', 'crypto', [ADDRESSES.solana], ['junk']],
  ['TRX', 'crypto', [ADDRESSES.tron], ['junk']],
  ['XRP', 'crypto', [ADDRESSES.xrp], ['junk']],
  ['XLM', 'crypto', [ADDRESSES.xlm], ['junk']],
  ['ATOM', 'crypto', [ADDRESSES.cosmos], ['junk']],
  ['USDC', 'stablecoin', [ADDRESSES.polygon, ADDRESSES.solana, ADDRESSES.tron], ['junk', ADDRESSES.bitcoin]],
  ['AAPLx', 'xstock', [ADDRESSES.ethereum, ADDRESSES.solana], ['junk']],
  // Networks that the API does not name.
  ['ADA', 'crypto', ['addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer'], [' ']],
  ['EUR', 'fiat', [ADDRESSES.sepa], ['']],
])('a withdrawal address for %s (%s) has the form of a network that it lives on', async (symbol, type, good, bad) => {
  for (const address of good) expect((await save(symbol, type, address)).status).toBe(200);
  for (const address of bad) {
    const { status, body } = await save(symbol, type, address);
    expect([status, body.error?.causes[0].field]).toEqual([400, 'address']);
  }
});

test('the wallet of an on-chain quote has the form of its network', async () => {
  for (const network of ['ethereum', 'polygon', 'arbitrum']) {
    expect((await quote(network, ADDRESSES.ethereum)).status).toBe(200);
    const { status, body } = await quote(network, '0xabc');
    expect([status, body.error?.causes[0].field]).toEqual([400, 'from.wallet.address']);
  }
});

test('an address that screening is told to reject is taken on every network', async () => {
  partner.sandbox.wallets.rejectAddress('a word');
  for (const address of [partner.sandbox.fixtures.rejectedWalletAddress, 'a word']) {
    for (const via of ['bitcoin', 'solana', 'ethereum']) expect((await whitelist(via, address)).status).toBe(200);
  }
});

test('every address that the seed makes up has the form of its network', async () => {
  const random = new Random(7);
  const names = { xrp: 'xrp', stellar: 'xlm', cosmos: 'cosmos', bitcoin: 'bitcoin', solana: 'solana', tron: 'tron' };
  for (const [network, via] of [...Object.entries(names), ['polygon', 'polygon']] as const) {
    for (let round = 0; round < 20; round += 1) {
      expect((await whitelist(via, walletAddress(network, random))).status).toBe(200);
    }
  }
});
