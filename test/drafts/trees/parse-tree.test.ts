import { describe, expect, it } from 'vitest'
import { MAX_TREE_NODES, parseTreeFiles } from '../../../src/drafts/trees/rules/parse-tree'
import { normalizeText } from '../../../src/kernel/text/normalize-text'

const parse = (text: string) => parseTreeFiles([{ name: 'a.md', text }])
/** The titles, each with the one of its parent. */
const outline = (text: string) => {
  const { nodes } = parse(text)
  return nodes.map(({ title, parent }) => (parent === null ? title : `${nodes[parent]!.title} > ${title}`))
}

describe('the items of a Markdown file', () => {
  it('are its headings and its unchecked boxes', () => {
    const text = '# Gate\n\n## Kiosk\n\n- [ ] Order it\n- [x] Choose it\n- [ ] Mount it\n\n## Board\n\n# Yard\n'
    expect(outline(text)).toEqual([
      'Gate',
      'Gate > Kiosk',
      'Kiosk > Order it',
      'Kiosk > Mount it',
      'Gate > Board',
      'Yard',
    ])
  })

  it('are below the next heading of a higher level, also if a level is skipped', () => {
    expect(outline('# A\n### B\n#### C\n## D\n### E')).toEqual(['A', 'A > B', 'B > C', 'A > D', 'D > E'])
    expect(outline('### A\n# B')).toEqual(['A', 'B'])
  })

  it('have texts, and a section for acceptance criteria whose boxes are no items', () => {
    const text = '# A\n\nIt *is*.\n\n## Acceptance criteria\n\n- [ ] fast\n\n### In numbers\n\n1 s\n\n## B\n\nmore'
    const [a, b] = parse(text).nodes
    expect(a).toMatchObject({ description: 'It *is*.', acceptanceCriteria: '- [ ] fast\n\n### In numbers\n\n1 s' })
    expect(b).toMatchObject({ title: 'B', parent: 0, description: 'more', acceptanceCriteria: null })
  })

  it('take lines directly below a heading as values', () => {
    const [a, b, c] = parse(
      '# A\ntype: Bug\nFound in: 1.2\n\nNote: text\n\n# B\n\npoints: 3\n\n- [ ] C\n  points: 1\n  why',
    ).nodes
    expect([...a!.attributes]).toEqual([
      ['type', 'Bug'],
      ['Found in', '1.2'],
    ])
    expect(a!.description).toBe('Note: text')
    expect([b!.attributes.size, b!.description]).toEqual([0, 'points: 3'])
    expect([[...c!.attributes], c!.description]).toEqual([[['points', '1']], 'why'])
  })

  it('are one item with a title in the front matter', () => {
    const { nodes } = parse(
      '---\ntitle: Kiosk\npoints: 3\ntags: [a, b]\n---\n\nText.\n\n- [ ] Order it\n\n## Description\n\nMore.',
    )
    expect(nodes.map(({ title, parent }) => [title, parent])).toEqual([
      ['Kiosk', null],
      ['Order it', 0],
    ])
    expect([...nodes[0]!.attributes]).toEqual([
      ['points', '3'],
      ['tags', 'a; b'],
    ])
    expect(nodes[0]).toMatchObject({ description: 'Text.\n\n\nMore.' })
  })

  it('are not in code', () => {
    const [a, ...others] = parse('# A\n\n```\n# no\n- [ ] no\n```\n\n~~~\n```\n# no\n~~~\n').nodes
    expect(others).toEqual([])
    expect(a!.description).toContain('# no')
  })

  it('with equal titles beside each other differ by their order', () => {
    const paths = parse('# A\n- [ ] x\n- [ ] x\n# A\n- [ ] x').nodes.map(({ path }) => path.join('/'))
    expect(new Set(paths).size).toBe(5)
  })

  it('differ if their titles differ only in case or accents, by which they are not distinguished later', () => {
    const { nodes } = parse('# A\n- [ ] Résumé\n- [ ] resume\n- [ ] RESUME\n# a\n- [ ] resume')
    const keys = nodes.map(({ path }) => JSON.stringify(path.map(normalizeText)))
    expect(new Set(keys).size).toBe(6)
  })

  it('name the tree in the front matter', () => {
    expect(parse('---\ntree: gate\n---\n# A').nodes[0]!.tree).toBe('gate')
  })
})

describe('places in a Markdown file', () => {
  it('are counted if titles beside each other are equal but for letter case and accents', () => {
    const paths = parse('# Gate\n# gate\n# Gäte\n## A\n# GATE').nodes.map(({ path }) => path.join(' > '))
    expect(paths).toEqual(['Gate', 'gate\u00002', 'Gäte\u00003', 'Gäte\u00003 > A', 'GATE\u00004'])
  })
})

describe('code in a Markdown file', () => {
  it.each([
    ['shorter fences in it', '````\n```\n# x\n```\n````'],
    ['fences with a language in it', '```\n```js\n# x\n```'],
    ['fences of another kind in it', '~~~\n```\n# x\n~~~'],
  ])('has no items, with %s', (_, code) => {
    expect(outline(`# A\n${code}\n# B`)).toEqual(['A', 'B'])
  })

  it('ends at a longer fence, and does not begin within a line', () => {
    expect(outline('# A\n```\n# x\n`````\n# B\n```not code```\n# C')).toEqual(['A', 'B', 'C'])
  })
})

describe('problems of a Markdown file', () => {
  it.each([
    ['', 'has no heading'],
    ['text', 'the text is before the first heading'],
    ['---\npoints: 3\n---\n# A', 'front matter without a title'],
    ['---\ntitle: [a: b\n---\n# A', 'front matter is not YAML'],
    [`# ${'x'.repeat(256)}`, 'longer than 255'],
    ['# A\ntype: Bug\ntype: Task', 'type is given a second time'],
  ])('of %j are named', (text, message) => {
    expect(
      parse(text)
        .problems.map((problem) => `${problem.path} ${problem.message}`)
        .join('\n'),
    ).toContain(message)
  })

  it('name only the first of many lines before the first heading', () => {
    expect(parse('a\n\nb\nc\n# A').problems).toEqual([
      { path: 'a.md:1', message: 'the text is before the first heading' },
    ])
  })

  it('are named if two files have one name', () => {
    const files = ['x.md', 'y.md'].map((name) => ({ name, text: '---\ntree: gate\n---\n# A' }))
    expect(parseTreeFiles(files).problems).toMatchObject([{ path: 'y.md', message: expect.stringContaining('gate') }])
  })

  it('end the reading of a file with too many items', () => {
    const { nodes, problems } = parse(`# A\n${'- [ ] x\n'.repeat(10_000)}`)
    expect(nodes).toHaveLength(MAX_TREE_NODES)
    expect(problems).toMatchObject([{ message: expect.stringContaining('1000') }])
  })
})
