import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const OWNED = {
  author: 'Ada <ada@partner.example>',
  repository: { type: 'git', url: 'git+https://code.example/partner-sdk.git' },
  homepage: 'https://sdk.partner.example',
  bugs: 'https://code.example/partner-sdk/issues',
};

/** Runs the check in a folder whose package.json has these members as well, or lacks them. */
function check(members: object, ...options: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'publication-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync('CONTRIBUTING.md', join(folder, 'CONTRIBUTING.md'));
  const manifest = { ...JSON.parse(readFileSync('package.json', 'utf8')), ...members };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('.ci/publication.mjs'), ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { passes: status === 0, said: `${stdout}${stderr}` };
}

describe('the check before a publication', () => {
  it('passes and says what is missing, and fails a release', () => {
    const without = { ...OWNED, homepage: undefined };
    expect(check(without)).toMatchObject({ passes: true, said: 'before the first publication, set homepage\n' });
    expect(check(without, '--complete').passes).toBe(false);
  });

  it('passes a release when all is set', () => {
    expect(check(OWNED, '--complete')).toMatchObject({ passes: true, said: 'ready for a publication\n' });
  });

  it.each([
    { author: 'Ada' },
    { repository: { type: 'git', url: 'code.example/partner-sdk' } },
    { homepage: 'sdk.partner.example' },
    { bugs: { page: 'none' } },
    { keywords: ['sdk', 'sdk'] },
    { keywords: undefined },
    { engines: {} },
  ])('refuses %j', (wrong) => {
    expect(check({ ...OWNED, ...wrong }).passes).toBe(false);
  });
});

it('README has absolute links on a registry: to the tag of the version, and the picture itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.2.3', ...OWNED }));
  const links = '[a](guides/a.md#b) ![p](guides/p.webp) [here](#more) [out](https://example.com/x)';
  writeFileSync(join(folder, 'README.md'), links);
  spawnSync(process.execPath, [resolve('.ci/readme-links.mjs')], { cwd: folder });
  const page = 'https://code.example/partner-sdk';
  const [link, picture] = [`[a](${page}/blob/v1.2.3/guides/a.md#b)`, `![p](${page}/raw/v1.2.3/guides/p.webp)`];
  const written = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(written).toBe(`${link} ${picture} [here](#more) [out](https://example.com/x)`);
});
