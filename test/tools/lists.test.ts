import { expect, it } from 'vitest';
import { guides } from '../../tools/site/documents.js';
import { sectionOf } from '../../tools/site/lists.js';

it('a section of llms.txt has a line for each page, with its summary if there is one', () => {
  const pages = [
    { title: 'Money', path: 'docs/money/README.md', summary: '' },
    { title: 'Lists', path: 'docs/calls/lists.md', summary: 'Pages of items.' },
  ];
  expect(sectionOf('Guides', pages)).toBe(
    '## Guides\n\n- [Money](docs/money/README.md)\n- [Lists](docs/calls/lists.md): Pages of items.',
  );
});

it('the guides are the documents of all rooms, without their pictures', () => {
  expect(guides()).toEqual(expect.arrayContaining(['docs/agents.md', 'docs/money/README.md', 'docs/calls/lists.md']));
  expect(guides().filter((path) => !path.endsWith('.md'))).toEqual([]);
});
