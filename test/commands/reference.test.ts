import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { manPage } from '../../commands/reference/man-page'
import { referenceMarkdown } from '../../commands/reference/markdown'
import { loadReference } from '../../commands/reference/reference'
import { referencePages } from '../../commands/reference/write'

const reference = await loadReference()
const pages = Object.entries(await referencePages())

describe('the reference', () => {
  it.each(pages)('%s is up to date: else run npm run reference', (path, page) => {
    expect(readFileSync(path, 'utf8')).toBe(page)
  })

  it('has every command with its flags and examples, and links only to existing ones', () => {
    const page = referenceMarkdown(reference)
    expect(reference.commands.length).toBeGreaterThan(70)
    for (const { command, examples } of reference.commands) {
      expect(page).toContain(`\n## studio ${command}\n`)
      for (const example of examples) expect(page).toContain(`\n${example}\n`)
    }
    const headings = new Set([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title!.replaceAll(' ', '-')))
    for (const [, anchor] of page.matchAll(/\]\(#([^)]*)\)/g)) expect(headings).toContain(anchor)
  })

  it('preserves the lines of a preformatted text', () => {
    const about = 'Put it there:\n\n  bash  a > b\n  fish  c > d\n\nThat is\nall.'
    const shown = { ...reference, commands: [{ ...reference.commands[0]!, about }], topics: [] }
    expect(referenceMarkdown(shown)).toContain('there:\n\n```text\n  bash  a > b\n  fish  c > d\n```\n\nThat is\nall.')
    expect(manPage(shown, '1')).toContain('.nf\n  bash  a > b\n  fish  c > d\n.fi\n.RE\n.PP\nThat is all.')
  })

  it('is shipped with the package', () => {
    const { man, files } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(files).toEqual(expect.arrayContaining(man))
    expect(pages.map(([path]) => path)).toEqual(expect.arrayContaining(man))
    expect(man).toHaveLength(1)
  })
})

describe('the man page', () => {
  const hostile = {
    commands: [
      {
        command: 'a b',
        usage: 'studio a b "x"',
        summary: "'.quoted \\fBtext",
        about: '.TH not a request\n\n\\n',
        args: [],
        flags: [['--x <"y">', '.B z']] as const,
        examples: ['.sh evil', "'x"],
        related: [],
      },
    ],
    globalFlags: [],
    topics: [],
  }

  it('has no request from a text', () => {
    const lines = manPage(hostile as never, '1').split('\n')
    const requests = lines.flatMap((line) => /^[.']\s*(\w+)/.exec(line)?.[1] ?? [])
    expect(new Set(requests)).toEqual(new Set(['TH', 'SH', 'B', 'I', 'RI', 'PP', 'SS', 'TP', 'RS', 'nf', 'fi', 'RE']))
    expect(lines.filter((line) => line.startsWith('.TH'))).toHaveLength(1)
    expect(lines.join('\n')).not.toMatch(/\\f|\\n/)
  })
})
