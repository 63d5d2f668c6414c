import fc from 'fast-check'
import { password } from './fake-secrets'

/** Text that is most likely to read back differently. */
const pieces = [
  ...[
    'word',
    'two words',
    'a_b',
    '_x_',
    '*',
    '**',
    '***a',
    '`',
    '``',
    '[',
    ']',
    '(',
    ')',
    '](x)',
    '[^1]',
    '[x]',
    '[ ] t',
    '[UI]',
    '[a b]:',
  ],
  ...[
    '<',
    '>',
    '&',
    '&amp;',
    '&lt;b',
    '<b>',
    '</b>',
    '<i>',
    '<br>',
    '<!-- c -->',
    '<a href="http://q.example/">',
    '</a>',
    '<x>',
    '<http://e.example>',
  ],
  ...[
    '#',
    '# h',
    '-',
    '- x',
    '+ y',
    '1.',
    '1) z',
    '> q',
    '```',
    '    code',
    '---',
    '===',
    '| a |',
    '|',
    ':-',
    '~',
    '~~',
    '~~s~~',
    '\\',
    '\\*',
    '!',
    ':',
  ],
  ...[
    '[a](http://x.example)',
    '![i](http://a.example/c.png)',
    'http://ex.example/a_(b)',
    'HTTP://A',
    'http:',
    'www.ex.example',
    'xwww.y.z',
    'view.html',
  ],
  ...[
    ' jane@contoso.com ',
    '@Jane Doe',
    '@<Jane Doe>',
    '@someone',
    ' +49 170 1234567 ',
    'CORP\\jdoe',
    `password: ${password}`,
    `https://u:${password}@h.example/x`,
    `{"password": "${password}"}`,
    ` 'password' => '${password}' `,
    'password: "Ab\\"cd81"',
    "password: 'it''s-4x'",
    'password: |\n  x4-y9\n',
    'passwords: ["Hk29dLq81z", "a4x"]',
    '<db.password>Hk29dLq81z</db.password>',
    'Pwd={Hk29dLq81z};',
    '"auth": "Ym9iOkhrMjlkTHE4MXo="',
    'password%3AHk29dLq81z',
    'log in as corp\\jdoe',
    'zip -P Hk29dLq81z a',
    'PASSWORD=$PASSWORD',
    'password: {{x}}',
    'pass: tulips',
    '![i](http://a.example/c.png) Show more',
  ],
  ...['[secret removed]', '[email removed]', '[email removed]:', '[link removed]', '[phone removed](x)'],
  ...[
    '\t',
    '  ',
    '\u00a0',
    '\u200b',
    '\n',
    '\n\n',
    ' ',
    '.',
    ',',
    'é',
    '日本',
    '😀',
    '"',
    "'",
    '$',
    '^',
    'C#',
    'x #',
    'T&C',
    '\\\\',
  ],
]

const piece = fc.constantFrom(...pieces)
const spaced = fc.tuple(piece, fc.constantFrom('', ' ', '', '\n')).map(([text, gap]) => text + gap)

/** Generates Markdown that consists of difficult parts only. */
export const markdownMixture = fc.array(spaced, { minLength: 1, maxLength: 14 }).map((parts) => parts.join(''))

const names =
  'p div b i em strong s del code a span ul ol li table tr td th h1 h3 blockquote pre q sup dl dt dd u font'.split(' ')
const attributes = fc.constantFrom('', '', '', ' style="font-weight:bold"', ' colspan=2', ' class=MsoListParagraph')
const addresses = [
  'http://x.example/z',
  'mailto:a@contoso.com',
  '#f',
  'javascript:x',
  'https://x.example/a b)',
  'http://x.example/?a=1&amp;b=(2',
]
const single = fc.constantFrom(
  '<br>',
  '<hr>',
  '<img src="http://i.example/k.png" alt="al*t">',
  '<input type=checkbox checked>',
  '<!-- x -->',
  '&nbsp;',
)

/** Generates HTML with arbitrary nesting and unclosed elements. */
export const htmlMixture = fc.letrec<{ nodes: string; node: string; element: string }>((tie) => ({
  nodes: fc.array(tie('node'), { maxLength: 4 }).map((parts) => parts.join('')),
  node: fc.oneof({ depthSize: 'small', withCrossShrink: true }, spaced.map(escaped), single, tie('element')),
  element: fc
    .tuple(
      fc.constantFrom(...names),
      attributes,
      fc.constantFrom(...addresses),
      tie('nodes'),
      fc.integer({ min: 0, max: 9 }),
    )
    .map(([name, attribute, address, nodes, open]) => {
      const href = name === 'a' ? ` href="${address}"` : ''
      return `<${name}${href}${attribute}>${nodes}${open === 0 ? '' : `</${name}>`}`
    }),
})).nodes

function escaped(text: string): string {
  return text.replace(/[&<]/g, (sign) => (sign === '<' ? '&lt;' : '&amp;'))
}

const calm = [
  'door',
  'late trucks',
  'a_b',
  'x: y',
  '5 > 4',
  'hi!',
  'end.',
  '(so)',
  'C#',
  'T & C',
  '#12',
  'a - b',
  '26 pallets',
  '[UI] board',
  'view.html',
  '[email removed]',
]
const sentence = fc.array(fc.constantFrom(...calm), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
const marked = fc
  .tuple(fc.constantFrom('b', 'i', 'code', 'a href="https://x.example/z?a=1"', 's'), sentence)
  .map(([tag, text]) => `<${tag}>${text}</${tag.split(' ')[0]}>`)
const line = fc.array(fc.oneof(sentence, marked), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '))

/** Generates HTML as an editor writes it. */
export const calmHtml = fc
  .array(
    fc.tuple(fc.constantFrom('div', 'p', 'h2', 'li', 'blockquote', 'td', 'pre'), line, line).map(([name, one, two]) => {
      if (name === 'li') return `<ul><li>${one}<ol><li>${two}<pre>\t${one}\n\n  - \`\`\`</pre></li></ol></li></ul>`
      if (name === 'blockquote') return `<blockquote>${one}<pre> x\n \n\ty</pre><ul><li>${two}</li></ul></blockquote>`
      if (name === 'td') return `<table><tr><td>${one}</td><td>${two}</td></tr><tr><td>${two}</td></tr></table>`
      return `<${name}>${one}<br>${two}</${name}>`
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const phrases = [
  ...[
    'door',
    'late *trucks*',
    '**bold**',
    '__b__',
    '_i_',
    'snake_case',
    'a*b*c',
    '***both***',
    '**a *b* c**',
    '~~s~~',
    '~t~',
  ],
  ...[
    '`code`',
    '`` a`b ``',
    '[l](http://x.example/a_b "t")',
    '[l](<a b>)',
    '[r]',
    '[r][]',
    '[text][R]',
    '![i](b.png)',
    '![r]',
  ],
  ...[
    'a note[^1]',
    '[^2]',
    '<http://e.example/x>',
    '<a@b.example>',
    'https://e.example/a_b_c?d=*e*&f=g',
    'http://a_b.c_d',
  ],
  ...[
    'www.ex.example/x_y_',
    '(https://e.example/a_(b)).',
    '*https://e.example/*',
    '**www.a.example**',
    'https://e.example/\\_a',
  ],
  ...[
    'jane@contoso.com',
    '&amp;',
    '&copy;',
    '&#65;',
    '&nosuch;',
    '\\*',
    '\\[x\\]',
    '<b>x</b>',
    '<br>',
    '<!-- c -->',
    '@<Jane Doe>',
  ],
  ...[
    '5 > 4',
    'a\\|b',
    'C#',
    'é',
    '日本語',
    '“q”',
    '[a [b](c) d](e)',
    "it's",
    'a\tb',
    '*a\\\nb*',
    'one  \ntwo',
    'one\ntwo',
  ],
]
const phrase = fc.array(fc.constantFrom(...phrases), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const inALine = phrase.map((words) => words.replace(/\\?\s+/g, ' '))
const cells = fc.array(inALine, { minLength: 1, maxLength: 4 })
const leaf = fc.oneof(
  { weight: 4, arbitrary: phrase },
  fc.tuple(fc.constantFrom('# ', '## ', '###### '), inALine, fc.constantFrom('', ' #')).map((parts) => parts.join('')),
  fc.tuple(inALine, fc.constantFrom('\n===', '\n---')).map((parts) => parts.join('')),
  fc
    .tuple(cells, fc.array(cells, { maxLength: 3 }))
    .map(([header, rows]) =>
      [header, header.map(() => ':-:'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
    ),
  fc.constantFrom(
    ...['---', '* * *', '```js\na *b*\n\n  c\n```', '~~~\n``` x\n~~~', 'a | b\n--|:-\n1 | `x\\|y`'],
    ...[
      '[r]: http://r.example "t"',
      "[r]: <a b>\n'title'",
      '[^1]: note *one*',
      '[^1]: a\n\n    second\n\n    - x',
      '[^2]:\n    b',
    ],
    ...['<div>\n**x**\n</div>', '<details>\n\n**x**\n\n</details>', '<!-- a\n\nb -->', '<script>\nx\n\ny</script>'],
  ),
)
const markers = fc.constantFrom('- ', '* ', '+ ', '1. ', '2) ', '10. ', '-   ', '- [ ] task\n\n', '- [x] task\n\n')

/** Generates Markdown as people write it. */
export const calmMarkdown = fc.letrec<{ blocks: string; block: string }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n\n')),
  block: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: leaf },
    tie('blocks').map((content) => content.replace(/^/gm, '> ')),
    fc
      .tuple(markers, fc.array(tie('blocks'), { minLength: 1, maxLength: 3 }), fc.constantFrom('\n', '\n\n'))
      .map(([marker, items, between]) => {
        const indent = ' '.repeat(marker.includes('task') ? 2 : marker.length)
        return items.map((item) => (marker + item).replace(/\n(?=.)/g, `\n${indent}`)).join(between)
      }),
  ),
})).blocks
