import { describe, expect, it } from 'vitest'
import { htmlToPlainText, markdownToPlainText } from '../../../src/rich-text'
import { sanitizeText } from '../../../src/sanitize'
import { context, counts, fromHtml, fromLine, fromMarkdown } from './context'

const many = (text: string, count: number) => text.repeat(count)
const attributes = (count: number) => Array.from({ length: count }, (_, index) => ` a${index}=1`).join('')
const fonts = (count: number) => Array.from({ length: count }, (_, index) => `<font id=${index}>`).join('')

/** Each text would exhaust the time, memory or stack of a parser without limits. Each contains two words that must remain. */
const texts: Record<string, ['html' | 'markdown', string]> = {
  'elements in each other by the hundred thousand': ['html', `first${many('<div>', 100_000)}last`],
  'elements in each other, closed': ['html', `first${many('<div>', 800)}last${many('</div>', 800)}`],
  'tables in each other': ['html', `first${many('<table><tr><td>', 400)}last`],
  'lists in each other': ['html', `first${many('<ul><li>', 400)}last`],
  'formatting that each paragraph repeats': ['html', `first<p>${fonts(2_000)}${many('<p>x', 2_000)}last`],
  'formatting that each end of an element repeats': [
    'html',
    `first<p>${fonts(1_000)}${fonts(1_000).replaceAll('font', 'b')}${many('</font>x', 1_000)}last`,
  ],
  'five megabytes of HTML': ['html', `first ${many('<p>hello world</p>', 290_000)} last`],
  'five megabytes of Markdown': ['markdown', `first ${many('hello *world*\n\n', 340_000)} last`],
  'a table of thousands of cells': ['html', `first<table>${many('<tr><td>a<td>b', 4_000)}</table>last`],
  'a table of one long and many short rows': [
    'html',
    `<table><tr><td>first${many('<td>a', 900)}${many('<tr><td>x', 900)}</table>last`,
  ],
  'cells over a hundred thousand columns and rows': [
    'html',
    `first<table>${many('<tr><td colspan=99999 rowspan=99999>a', 500)}</table>last`,
  ],
  'thousands of links': ['html', `first ${many('<a href="https://x.example/z">l</a> ', 2_000)} last`],
  'entities by the ten thousand': ['html', `first ${many('&amp;&#x41;&lt;&nbsp;', 10_000)} last`],
  'attributes by the ten thousand': ['html', `<p${attributes(20_000)}>first last</p>`],
  'tags that never end': ['html', `first last ${many('<a href="', 20_000)}`],
  'emphasis that never closes': ['markdown', `first ${many('*a _b ', 8_000)} last`],
  'more emphasis in a paragraph than is read back': ['html', `first ${many('<b>a</b> ', 1_500)} last`],
  'emphasis in emphasis': ['markdown', `first ${many('*a ', 8_000)}${many('b*', 8_000)} last`],
  'brackets that never close': ['markdown', `first ${many('[', 30_000)} last`],
  'links in brackets': ['markdown', `first ${many('[', 40_000)}a${many('](b)', 10_000)} last`],
  'lists in lists on one line': ['markdown', `first\n\n${many('+ - ', 20_000)}last`],
  'quotes in quotes': ['markdown', `first\n\n${many('>', 50_000)}last`],
  'quotes and lists as deep as allowed': ['markdown', `first\n\n${many('> ', 30)}last`],
  'code that begins with ever more ticks': [
    'markdown',
    `first ${Array.from({ length: 250 }, (_, n) => many('`', n)).join(' ')} last`,
  ],
  'marks within a word by the ten thousand': ['markdown', `first ${many('_', 40_000)} last`],
  'emphasis that closes and opens at once': ['markdown', `first ${many('a*', 20_000)} last`],
  'strikethrough that never closes': ['markdown', `first ${many('~a ~~b ', 6_000)} last`],
  'links and images that never close': ['markdown', `first ${many('![a](<b "', 8_000)} last`],
  'images in images': ['markdown', `first ${many('![', 20_000)}a${many('](b)', 8_000)} last`],
  'brackets in the text of links': ['markdown', `first ${many('[a [b] ', 6_000)}](c) last`],
  'references to one definition': ['markdown', `first ${many('[a][', 12_000)} last\n\n[a]: b`],
  'definitions that break off': ['markdown', `first\n\n${many('[a]: b "c\n', 6_000)} last`],
  'footnotes in footnotes': ['markdown', `first\n\n${many('[^a]: ', 1_500)}last`],
  'footnotes one after the other': ['markdown', `first\n\n${many('[^a]: b\n', 8_000)}\nlast`],
  'a table of one wide row': ['markdown', `first|x\n-|-\n${many('a|', 30_000)}last`],
  'a table of many short rows': ['markdown', `first|x|last\n-|-|-\n${many('a\n', 9_000)}`],
  'addresses that are none': ['markdown', `first ${many('_www.a_b', 8_000)} last`],
  'comments that never end': ['markdown', `first last ${many('x <!-- ', 9_000)}`],
  'tags with quotes that never end': ['markdown', `first last x ${many('<a b="', 12_000)}`],
  'lists in lists, line by line': [
    'markdown',
    `first\n\n${Array.from({ length: 300 }, (_, level) => `${many(' ', 2 * level)}- a\n`).join('')}\nlast`,
  ],
  'raw tags by the thousand': ['markdown', `first ${many('<b>', 4_000)} last`],
  'blanks by the hundred thousand': ['html', `first${many(' ', 300_000)}last`],
}

describe.each(Object.entries(texts))('%s', (_name, [format, text]) => {
  const result = sanitizeText({ format, text }, context)

  it('is accepted, and its text remains', () => {
    expect(result.markdown).toContain('first')
    if (!text.includes('<a href="<a')) expect(result.markdown).toContain('last')
  })

  it('does not change when it is sanitized again', () => {
    expect(fromMarkdown(result.markdown)).toEqual({ markdown: result.markdown, removed: [] })
  })

  it('has a plain text', () => {
    const plain = (format === 'html' ? htmlToPlainText : markdownToPlainText)(text)
    expect(plain).toContain('first')
  })
})

describe('text beyond the limits is reported', () => {
  it('converts a text that is too large to one code block', () => {
    const { markdown, removed } = fromHtml(`<p>one <b>two</b></p><script>x()</script>${many('<p>three</p>', 60_000)}`)
    expect(markdown.slice(0, 18)).toBe('```\none two\nthree\n')
    expect(counts(removed)).toEqual({ 'too-large': 1 })
  })

  it('flattens a part that is nested too deeply', () => {
    const { markdown, removed } = fromHtml(`<p>one</p>${many('<div>', 150)}two <b>three</b>`)
    expect(markdown).toBe('one\n\ntwo three')
    expect(counts(removed)).toEqual({ 'too-deep': 1 })
  })

  it('flattens nested emphasis, and keeps the surrounding text', () => {
    const { markdown, removed } = fromMarkdown(`# Title\n\n${many('*a **b ', 1_000)}c${many('** d*', 1_000)}`)
    expect(markdown).toMatch(/^# Title\n\n\*a \*\*b/)
    expect(markdown).toContain('a b a b c d d d')
    expect(counts(removed)).toEqual({ 'too-deep': 1 })
  })

  it('flattens nested lists that are written line by line', () => {
    const lines = Array.from({ length: 200 }, (_, level) => `${many('  ', level)}- level ${level}`)
    const { markdown, removed } = fromMarkdown(lines.join('\n'))
    expect(markdown).toContain('level 19\n')
    expect(markdown).toMatch(/level 21 .*level 199/)
    expect(counts(removed)).toEqual({ 'too-deep': 1 })
  })

  it('keeps a code block of any size', () => {
    const code = `\`\`\`json\n${many('{"a": "*_[](", "b": [1, 2]}\n', 40_000)}\`\`\``
    expect(fromMarkdown(code)).toEqual({ markdown: code, removed: [] })
  })

  it('finds people and secrets in flattened text', () => {
    const { markdown, removed } = fromHtml(`${many('<div>', 5_000)}mail jane@contoso.com`)
    expect(markdown).toBe('```\nmail [email removed]\n```')
    expect(counts(removed)).toEqual({ email: 1, 'too-large': 1 })
  })
})

/** No pattern may read the same run again from each of its positions, because time would become quadratic. */
describe('patterns over long runs', () => {
  const runs = [
    ...['a', 'A', '1', ' ', '\\', '_', '<', '`', '@', '-', '=', '/', '.', ':', '+', '('],
    ...[
      'a@',
      'a.',
      '1 ',
      '555-',
      '+1 ',
      '(1)',
      'eyA',
      'ey-',
      'eyAAAAAAAAAAAAAAAAAA.',
      'A\\a ',
      'a://b:c',
      'a://b:c@',
      'sk-',
      'key-',
      'xoxb-',
    ],
    ...[
      'password:',
      'password for ',
      'password: a ',
      'token is ',
      'user/pass:a/',
      '-u ',
      '<password',
      '"a" value=',
      'Bearer ',
      '&sig=',
    ],
    ...[
      ...[
        'password:"',
        "password:'a'",
        'password:"a"x',
        'password:\\"',
        'password:\\\\\\"',
        'password="a"+"',
        'password:""',
      ],
      ...[
        'password: |\n ',
        'password: |\n  a\n',
        'passwords:\n- a\n',
        'password:["',
        'password:[a,',
        'password:{',
        'password:{{',
      ],
      ...['password=$', 'password=$(', 'password=%', 'password=<', 'password=a\\"b', '${password:-', 'password: a b\n'],
      ...[
        '--password=',
        '"--password=\\"',
        'zip -P "',
        "zip -P 'a'",
        'curl -u a:"',
        'mysql -pa\\ ',
        'openssl -passin pass:',
      ],
      ...['<password>', '<password><![CDATA[', '<a key="password">', '<a value="', '<key>password</key>'],
      ...['name: password, value: "', 'value: "a", name: password', 'define("password", "', 'password: string = '],
      ...[
        'kind: Secret\ndata:\n a: b\n',
        '"data": {',
        'YWJjZGVmZ2hp',
        'YWJjZGVmZ2hpamts ',
        '"auth": "YWJjZGVmZ2hpOg=="',
        '%41',
        '%2541',
      ],
      ...['passwords: a, ', 'passwords: a1!bcd, ', "Password=a'b ", "Server=x;Password=a'b ;", 'password -> '],
      ...['| password | a ', '| password | a |\n', 'passphrase: ab cd ef gh ', '<password> a', 'CORP\\a, b\\c; '],
      ...['/password/', ' as a', 'log in as ', 'login as jsmith '],
      ...['log in as a\\', 'run a a as ', 'CORP\\a b c d', 'https://n8n.example/webhook/', 'hooks.zapier.com/hooks/a/'],
    ],
    ...[
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY----- AAAA',
      '@Jane ',
      'http://x/',
      'http://x/)',
      'www.',
      '[a',
      '](',
      '&amp',
      '=" ',
    ],
  ]

  it.each(runs)('%j', (run) => {
    const text = many(run, Math.ceil(200_000 / run.length))
    expect(fromLine(`first ${text} last`).text).toContain('first')
    expect(htmlToPlainText(`first <a ${text}`)).toContain('first')
    expect(markdownToPlainText(`first ${text}`)).toContain('first')
  })
})
