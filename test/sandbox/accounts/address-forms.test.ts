import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { Random } from '../../../src/sandbox/core/basics/random.js';
import { walletAddress } from '../../../src/sandbox/kinds/shared/addresses/generate.js';
import { ADDRESSES } from '../support/addresses.js';
import { directSandbox } from '../support/direct-partner.js';
import { bodies, fieldsOf } from '../support/partner.js';

const partner = directSandbox();
afterAll(() => partner.sandbox.close());

const memo = { memo: '7' };
const { ethereum } = ADDRESSES;
/** Its capitals are not its checksum. */
const miscased = ethereum.replace('8dA6', '8Da6');
const whitelist = (via: string, address: string) =>
  partner.post(`${partner.account}/wallets/whitelist`, { via, address, ...memo }, { 'API-Otp': '1' });
const save = (asset_symbol: string, asset_type: string, address: string) => {
  const body = { ...bodies.address(partner.sandbox.fixtures.methodId, randomUUID()), ...memo };
  return partner.post(`${partner.account}/funds/withdrawals/addresses`, { ...body, asset_symbol, asset_type, address });
};
const isValid = async (asset_symbol: string, asset_type: string, address: string, more: object = memo) => {
  const body = { asset_symbol, asset_type, method_id: partner.sandbox.fixtures.methodId, address, ...more };
  return (await partner.post('/v1/funds/withdrawals/addresses/validate', body)).body.data.valid;
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
      // Version 1 is bech32m.
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    ],
    bad: [
      ...['not an address at all', 'bc1q', 'bc1qexample', 'bc1b508d6qejxtdg4y5r3zarvary0c5xw7k', ethereum],
      ...['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp'],
      // Version 0 in bech32m, version 1 in bech32, letters of both sizes.
      ...[
        'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
        'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
      ],
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5MDQ',
    ],
  },
  ethereum: {
    good: [ethereum.toLowerCase(), `0x${'0'.repeat(40)}`],
    bad: ['junk', '0xabc', ethereum.slice(2), `${ethereum}0`, `0x${'g'.repeat(40)}`, ADDRESSES.tron, miscased],
  },
  polygon: { good: [], bad: ['junk', ADDRESSES.solana] },
  arbitrum: { good: [], bad: ['junk', ADDRESSES.bitcoin] },
  solana: {
    good: ['So11111111111111111111111111111111111111112', '1'.repeat(32)],
    bad: ['1'.repeat(31), '1'.repeat(45), `${'1'.repeat(40)}0`, ADDRESSES.ethereum],
  },
  tron: { good: [], bad: [ADDRESSES.tron.slice(0, -1), `X${ADDRESSES.tron.slice(1)}`, ADDRESSES.ethereum] },
  xrp: {
    good: ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKbmc'],
    bad: ['XVLhHMPHU98es4dbozjVtdWzVrDjtV8AqEL4xcZj5whKb', 'rExample', `x${ADDRESSES.xrp.slice(1)}`, ADDRESSES.xlm],
  },
  xlm: {
    good: ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ'],
    bad: [ADDRESSES.xlm.toLowerCase(), ADDRESSES.xlm.slice(1), 'G1'],
  },
  eos: { good: ['alice', 'a'.repeat(12)], bad: ['Alice', 'a'.repeat(14), 'bob9'] },
  optimism: { good: [], bad: ['junk'] },
  sonic: { good: [], bad: ['junk'] },
  avalanche: {
    good: ['X-avax1tzdcgj4ehsvhhgpl7zylwpw0gl2rxcg4r5afk5'],
    bad: ['junk', 'avax1tzdcgj4ehsvhhgpl7zylwpw0gl2rxcg4r5afk5', 'X-avax1tzdcgj4ehsvhhgpl7zylwpw0gl2rxcg4r5afk'],
  },
  cardano: {
    good: [
      'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
      'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi',
      'DdzFFzCqrhsrcTVhLygT24QwTnNqQqQ8mZrq5jykUzMveU26sxaH529kMpo7VhPrt5pwW3dXeB2k3EEvKcNBRmzCfcQ7dTkyGzTs658C',
    ],
    bad: [
      'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl',
      'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2',
      // It stakes, and takes no payments.
      'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw',
    ],
  },
  dogecoin: { good: [], bad: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L0', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'] },
  polkadot: { good: ['1zugcag7cJVBtVRnFxv5Qftn7xKAnR6YJ9x4x3XLgGgmNnS'], bad: [`2${ADDRESSES.polkadot.slice(1)}`] },
  bitcoin_cash: {
    good: [
      ...['qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'],
      'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq',
    ],
    bad: ['bitcoincash:', 'q', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6', ADDRESSES.bitcoin],
  },
  litecoin: {
    good: ['ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea', 'M8T1B2Z97gVdvmfkQcAtYbEepune1tzGua'],
    bad: ['ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfe1', ADDRESSES.bitcoin],
  },
  near: {
    good: ['98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de'],
    bad: ['a', 'Alice.near', 'alice..near', '.near', 'a'.repeat(65)],
  },
  filecoin: {
    good: [
      'f24vg6ut43yw2h2jqydgbg2xq7x6f4kub3bg6as6i',
      'f3vvmn62lofvhjd2ugzca6sof2j2ubwok6cj4xxbfzz4yuxfkgobpihhd2thlanmsh3w2ptld2gqkn2jvlss4a',
      'f410fkkld55ioe7qg24wvt7fu6pbknb56ht7pt4zamxa',
    ],
    bad: ['f17uoq6tp427uzv7fztkbsnn64iwotfrristwpry', ADDRESSES.filecoin.toUpperCase(), 'f1', 'f5abc'],
  },
  algorand: {
    good: ['VCMJKWOY5P5P7SKMZFFOCEROPJCZOTIJMNIYNUCKH7LRO45JMJP6UYBIJA'],
    bad: [ADDRESSES.algorand.toLowerCase(), ADDRESSES.algorand.slice(1)],
  },
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
  ['ADA', 'crypto', [ADDRESSES.cardano], [' ', 'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer']],
  ['RLUSD', 'stablecoin', [ADDRESSES.xrp, ethereum], [ADDRESSES.tron]],
  ['SHIB', 'crypto', [ethereum], [ADDRESSES.solana]],
  ['EUR', 'fiat', [ADDRESSES.sepa], ['']],
])('a withdrawal address for %s (%s) has the form of a network that it lives on', async (symbol, type, good, bad) => {
  for (const address of good) {
    expect([(await save(symbol, type, address)).status, await isValid(symbol, type, address)]).toEqual([200, true]);
  }
  for (const address of bad) {
    const { status, body } = await save(symbol, type, address);
    expect([status, body.error?.causes[0].field]).toEqual([400, 'address']);
    expect(await isValid(symbol, type, address)).toBe(false);
  }
});

test('an address that is validated needs its memo, and a known asset and method', async () => {
  expect(await isValid('XRP', 'crypto', ADDRESSES.xrp, { memo: null })).toBe(false);
  const body = { asset_symbol: 'BTC', method_id: partner.sandbox.fixtures.methodId, address: ADDRESSES.bitcoin };
  for (const wrong of [{ asset_symbol: 'NOPE' }, { method_id: randomUUID() }]) {
    const answer = await partner.post('/v1/funds/withdrawals/addresses/validate', { ...body, ...wrong });
    expect([answer.status, ...fieldsOf(answer)]).toEqual([400, ...Object.keys(wrong)]);
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
  for (const via of Object.keys(SAMPLES)) {
    for (let round = 0; round < 20; round += 1) {
      expect((await whitelist(via, walletAddress(via, random))).status).toBe(200);
    }
  }
});

test.each(['bitcoin', 'ethereum', 'polygon', 'arbitrum', 'optimism', 'sonic', 'avalanche'])(
  'an address on %s with another letter in one place is none',
  async (via) => {
    const random = new Random(8);
    for (let round = 0; round < 40; round += 1) {
      const address = walletAddress(via, random);
      const place = random.integer(address.length - 10, address.length - 1);
      const other = address[place]?.toLowerCase() === 'e' ? 'f' : 'e';
      const changed = address.slice(0, place) + other + address.slice(place + 1);
      expect([changed, (await whitelist(via, changed)).status]).toEqual([changed, 400]);
    }
  },
);

test('an address of a megabyte is refused at once', async () => {
  const { status, body } = await save('BTC', 'crypto', '1'.repeat(900_000));
  expect([status, body.error?.causes[0].field]).toEqual([400, 'address']);
});

test('a memo is only required where every network that the address may be on has one', async () => {
  const { fixtures } = partner.sandbox;
  const body = { asset_symbol: 'RLUSD', asset_type: 'stablecoin', method_id: fixtures.methodId };
  const saved = async (address: string, more: object = {}) =>
    (await partner.post(`${partner.account}/funds/withdrawals/addresses`, { ...body, ...more, address, key: address }))
      .body.error?.causes;
  expect(await saved(ethereum)).toBeUndefined();
  expect(await saved(ADDRESSES.xrp)).toEqual([{ field: 'memo', message: 'memo or tag is required for RLUSD' }]);
  expect(await saved(ADDRESSES.xrp, { tag: '0' })).toBeUndefined();
});
