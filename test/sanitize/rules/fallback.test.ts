import { expect, it } from 'vitest'
import { counts, fromHtml, fromMarkdown } from './context'

const said =
  'Ask CONTOSO\\bsmith or Jane Doe, @Ana.Lee, @Jane Doe; jane@contoso.com, +49 170 1234567 or 212-555-0147. Password hunter2!, Login: postgres://bob:hunter3@db.example/x'
const shown =
  'Ask [account removed] or @someone, @someone, @someone; [email removed], [phone removed] or [phone removed]. Password [secret removed], Login: postgres://[secret removed]@db.example/x'
const gone = { account: 1, mention: 3, email: 1, phone: 2, password: 2 }

/** Texts that are too deep or too large to be read as markup. */
const texts: Record<string, () => { markdown: string; removed: ReturnType<typeof fromHtml>['removed'] }> = {
  'nested blocks': () => fromHtml('<div>'.repeat(1_500) + said),
  'nested emphasis': () => fromHtml('<b>'.repeat(3_000) + said),
  'short paragraphs': () => fromHtml(`<p>${said}</p>${'<p>door</p>'.repeat(60_000)}`),
  'long HTML': () => fromHtml(`<p>${said}</p>${`<p>${'yard '.repeat(20)}</p>`.repeat(5_000)}`),
  'HTML that the parser would multiply': () => fromHtml(`${'<b><i><u><s>'.repeat(300)}${'</p>'.repeat(1_900)}${said}`),
  'nested blocks in Markdown': () => fromMarkdown('<div>'.repeat(1_500) + said),
  'HTML in Markdown that the parser would multiply': () =>
    fromMarkdown(
      `x <u>${Array.from({ length: 300 }, (_, at) => `<b a=${at}>`).join('')}${'</u>'.repeat(1_000)}${said}`,
    ),
  'nested quotes': () => fromMarkdown('> '.repeat(60) + said),
  'long Markdown': () => fromMarkdown(`${said}\n\n${'yard door\n\n'.repeat(15_000)}`),
  'a cell of a table that is too large': () =>
    fromHtml(`<table><tr><td>${said}</td></tr>${'<tr><td>a</td><td>b</td><td>c</td></tr>'.repeat(7_000)}</table>`),
}

it.each(Object.entries(texts))('people and secrets are removed as in prose from %s', (_of, sanitize) => {
  const { markdown, removed } = sanitize()
  expect(markdown.replaceAll('\\', '')).toContain(shown)
  expect(counts(removed)).toMatchObject(gone)
  expect(removed.some(({ kind }) => kind === 'too-large' || kind === 'too-deep')).toBe(true)
  const again = fromMarkdown(markdown)
  expect(again.markdown === markdown).toBe(true)
  expect(again.removed.filter(({ kind }) => kind !== 'too-large')).toEqual([])
})

it('code that is too large stays code', () => {
  const code = `\`\`\`\nprint("LINE\\nfoo", retry(212-555-0147))\n${'next()\n'.repeat(30_000)}\`\`\``
  expect(fromMarkdown(code)).toEqual({ markdown: code, removed: [] })
})
