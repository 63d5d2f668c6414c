import fc from 'fast-check'
import type { BlockContent, ListItem, PhrasingContent, Root, RootContent, Table } from 'mdast'

const word = fc.oneof(
  fc.stringMatching(/^[A-Za-z]{1,8}$/),
  fc.constantFrom(
    '*',
    '_x_',
    '#1',
    '<b>',
    '&amp;',
    '1.',
    '- ',
    '|',
    '`',
    '[x]',
    '\\',
    'ümlaut',
    '日本',
    '!',
    '~',
    'a@b.example',
    '🙂',
    '=',
    '+',
    '>',
  ),
)
const text = fc
  .array(word, { minLength: 1, maxLength: 5 })
  .map((words) => ({ type: 'text' as const, value: words.join(' ').trim() || 'x' }))
const address = fc.constantFrom(
  'https://example.com/a?b=1&c=2',
  'https://example.com/(x)',
  'mailto:desk@example.com',
  '/relative',
)

function phrasing(depth: number): fc.Arbitrary<PhrasingContent[]> {
  const leaf: fc.Arbitrary<PhrasingContent> = fc.oneof(
    { weight: 5, arbitrary: text },
    {
      weight: 1,
      arbitrary: fc.stringMatching(/^[\w|*<>&-]{1,12}$/).map((value) => ({ type: 'inlineCode' as const, value })),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('image' as const),
        url: fc.constant('https://example.com/p.png'),
        alt: fc.constantFrom('a', 'two words'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.uuid().map((id) => ({
        type: 'link' as const,
        url: `mention:${id}`,
        children: [{ type: 'text' as const, value: '@Jane Doe' }],
      })),
    },
  )
  const marked =
    depth === 0
      ? leaf
      : fc.oneof(
          { weight: 4, arbitrary: leaf },
          {
            weight: 1,
            arbitrary: fc.record({
              type: fc.constantFrom('strong' as const, 'emphasis' as const, 'delete' as const),
              children: text.map((node) => [node] as PhrasingContent[]),
            }),
          },
          {
            weight: 1,
            arbitrary: fc.record({
              type: fc.constant('link' as const),
              url: address,
              children: text.map((node) => [node] as never),
            }),
          },
        )
  // Spaces between the parts, because marks inside a word have no form in Markdown.
  return fc
    .array(marked as fc.Arbitrary<PhrasingContent>, { minLength: 1, maxLength: 4 })
    .map((nodes) =>
      nodes.flatMap((node, i): PhrasingContent[] => (i === 0 ? [node] : [{ type: 'text', value: ' ' }, node])),
    )
}

const line = phrasing(1)
const paragraph = line.chain((children) =>
  fc.option(line, { nil: null }).map((more) => ({
    type: 'paragraph' as const,
    children: more ? [...children, { type: 'break' as const }, ...more] : children,
  })),
)
const code = fc.record({
  type: fc.constant('code' as const),
  lang: fc.constantFrom(null, 'sql', 'c++'),
  value: fc
    .array(fc.constantFrom('select 1', '', '  indented <b>', '```', '- x', '\ttab', '&lt;'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((lines) => ['first', ...lines, 'last'].join('\n')),
})
const table: fc.Arbitrary<Table> = fc
  .record({
    columns: fc.integer({ min: 1, max: 4 }),
    rows: fc.integer({ min: 1, max: 4 }),
    cells: fc.array(line, { minLength: 20, maxLength: 20 }),
    align: fc.array(fc.constantFrom(null, 'left' as const, 'center' as const, 'right' as const), {
      minLength: 4,
      maxLength: 4,
    }),
  })
  .map(
    ({ columns, rows, cells, align }) =>
      ({
        type: 'table',
        align: align.slice(0, columns),
        children: Array.from({ length: rows + 1 }, (_, r) => ({
          type: 'tableRow',
          children: Array.from({ length: columns }, (_, c) => ({
            type: 'tableCell',
            children: cells[r * columns + c]!,
          })),
        })),
      }) as Table,
  )

function list(depth: number): fc.Arbitrary<BlockContent> {
  const item: fc.Arbitrary<ListItem> = fc
    .record({
      first: paragraph,
      task: fc.constantFrom(null, null, true, false),
      below:
        depth === 0
          ? fc.constant(null)
          : fc.option(fc.oneof(list(depth - 1), code, paragraph) as fc.Arbitrary<BlockContent>, { nil: null }),
    })
    .map(
      ({ first, task, below }) =>
        ({
          type: 'listItem',
          checked: task,
          spread: below?.type === 'paragraph',
          children: below ? [first, below] : [first],
        }) as ListItem,
    )
  return fc
    .record({
      ordered: fc.boolean(),
      start: fc.integer({ min: 1, max: 20 }),
      children: fc.array(item, { minLength: 1, maxLength: 3 }),
    })
    .map(
      ({ ordered, start, children }) =>
        ({
          type: 'list',
          ordered,
          start: ordered ? start : null,
          spread: false,
          children: children.map((each) => (ordered ? { ...each, checked: null } : each)),
        }) as BlockContent,
    )
}

const block: fc.Arbitrary<RootContent> = fc.oneof(
  { weight: 4, arbitrary: paragraph },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('heading' as const),
      depth: fc.constantFrom(1 as const, 2 as const, 3 as const, 6 as const),
      children: line,
    }),
  },
  { weight: 3, arbitrary: list(2) },
  { weight: 1, arbitrary: code },
  { weight: 1, arbitrary: table },
  {
    weight: 1,
    arbitrary: fc
      .array(paragraph, { minLength: 1, maxLength: 2 })
      .map((children) => ({ type: 'blockquote' as const, children })),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'thematicBreak' as const }) },
) as fc.Arbitrary<RootContent>

/** Documents with all that the tracker's editor offers. Two lists never follow each other, because Markdown cannot tell them apart. */
export const documents: fc.Arbitrary<Root> = fc.array(block, { minLength: 1, maxLength: 6 }).map((children) => ({
  type: 'root',
  children: children.filter((child, i) => child.type !== 'list' || children[i - 1]?.type !== 'list'),
}))
