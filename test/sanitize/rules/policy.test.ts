import { describe, expect, it } from 'vitest'
import { sanitizeLine, sanitizeText } from '../../../src/sanitize'

const context = { trackerHosts: ['tracker.example'], people: ['Mei Tanaka'] }
const html = (text: string) => sanitizeText({ format: 'html', text }, context)
const markdown = (text: string) => sanitizeText({ format: 'markdown', text }, context)
/** Joins the parts of a fake secret, so that scanners do not report the source as a leak. */
const madeUp = (...parts: string[]) => parts.join('')

describe('a sanitized text keeps', () => {
  it.each([
    ['headings', '<h2>Goal</h2><p>text</p>', '## Goal\n\ntext'],
    ['emphasis', '<p><b>bold</b> and <i>italic</i></p>', '**bold** and *italic*'],
    ['nested lists', '<ul><li>one<ul><li>two</li></ul></li></ul>', '- one\n  - two'],
    ['numbered lists', '<ol><li>one</li><li>two</li></ol>', '1. one\n2. two'],
    [
      'tables',
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
    ],
    ['code', '<pre><code>let x = 1 &lt; 2</code></pre>', '```\nlet x = 1 < 2\n```'],
    ['links of others', '<a href="https://docs.example.com/a">docs</a>', '[docs](https://docs.example.com/a)'],
  ])('%s', (_what, source, clean) => {
    expect(html(source)).toEqual({ markdown: clean, removed: [] })
  })
})

describe('a sanitized text loses', () => {
  it.each([
    ['a script', '<p>a</p><script>alert(1)</script>', 'script'],
    ['a style', '<style>p{color:red}</style><p>a</p>', 'style'],
    ['an event handler', '<p onclick="alert(1)">a</p>', 'event-handler'],
    ['a javascript: address', '<a href="java&#x73;cript:alert(1)">a</a>', 'unsafe-url'],
    ['a data: address', '<a href="data:text/html;base64,PHNjcmlwdD4=">a</a>', 'unsafe-url'],
    ['a link into the tracker', '<a href="https://tracker.example/org/_workitems/edit/7">a</a>', 'internal-link'],
    ['one whose host ends in a dot', '<a href="https://tracker.example./7">a</a>', 'internal-link'],
    ['office debris', '<p class="MsoNormal">a<o:p></o:p></p>', 'office-markup'],
  ])('%s, and reports it', (_what, source, kind) => {
    const { markdown: clean, removed } = html(source)
    expect(clean).toBe('a')
    expect(removed.map((removal) => removal.kind)).toContain(kind)
  })

  it.each([
    ['a mention', '<a href="#" data-vss-mention="version:2.0,1">@Priya Nair</a> said so', '@someone said so'],
    ['a known name', 'ask @Mei Tanaka', 'ask @someone'],
    ['an address', 'write to jonas@quayside.example', 'write to [email removed]'],
    ['a telephone number', 'call +1 (555) 010-0147', 'call [phone removed]'],
    ['one without its country', 'contact: Marek, 555-010-0162.', 'contact: Marek, [phone removed].'],
    ['an account', 'runs as QUAYSIDE\\jlindqvist', 'runs as [account removed]'],
  ])('%s', (_what, source, clean) => {
    expect(html(source).markdown).toBe(clean)
  })

  it.each([
    ['a token of a code host', madeUp('gh', 'p_', 'R7tVq2Lx9KdPz4Wn6HsYb3Mc8JfGa5Te1UoX')],
    ['a token of the tracker', madeUp('k4xw7h2nqz5tj3mvr6bd', '2yfap7gc4lseu3ok5xihn2wq6tzdm4vb')],
    ['a cloud access key', madeUp('AK', 'IA', 'QYLPMN5HHHFPZAM2')],
    [
      'a web token',
      madeUp('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0', '.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'),
    ],
  ])('%s', (_what, secret) => {
    for (const { markdown: clean } of [html(`<p>use ${secret} now</p>`), markdown(`use ${secret} now`)]) {
      expect(clean).toBe('use [secret removed] now')
    }
    expect(html(`<pre>${secret}</pre>`).markdown).not.toContain(secret)
  })

  it('only the password of an address and of a connection string', () => {
    expect(markdown('`postgres://app:hunter2hunter2@db.example/x`').markdown).not.toContain('hunter2hunter2')
    const { markdown: clean } = html('<p>Server=db.example;User Id=app;Password=hunter2hunter2;Timeout=30</p>')
    expect(clean).toContain('Server=db.example')
    expect(clean).not.toContain('hunter2hunter2')
  })

  it('a whole private key', () => {
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} RSA ${'PRIVATE'} KEY-----`)
    const { markdown: clean } = html(`<pre>${begin}\nMIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo\n${end}</pre>`)
    expect(clean).not.toContain('MIIEow')
    expect(clean).toContain('[secret removed]')
  })
})

describe('text without secrets and people remains', () => {
  it.each([
    'PO 4500012345 and BOL 7789-2231',
    'on 2026-11-20 at 10:00, version 1.2.3, 14 minutes',
    'GTIN 04012345678901, weight 1200 lbs',
    'the path C:\\temp\\x and \\\\server\\share',
    'the password must have 12 characters',
  ])('%s', (text) => {
    expect(sanitizeLine(text, context)).toEqual({ text, removed: [] })
    expect(html(`<p>${text}</p>`).removed).toEqual([])
  })
})

describe('a title', () => {
  it('remains one line, without people and secrets', () => {
    const { text, removed } = sanitizeLine('Ask  jonas@quayside.example\nfor the key', context)
    expect(text).toBe('Ask [email removed] for the key')
    expect(removed).toEqual([{ kind: 'email', count: 1 }])
  })
})
