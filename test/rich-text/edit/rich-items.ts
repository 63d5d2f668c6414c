import fc from 'fast-check'

/** A block of an item as its tracker stores it, and the parts of it that Markdown or a clean copy cannot hold. */
export interface RichBlock {
  source: string
  treasures: string[]
}

/** How a tracker writes the parts of an item. Nodes of documents are written as JSON. */
interface Dialect {
  word(text: string, how: 'plain' | 'bold' | 'italic'): string
  space: string
  /** `%` is a number that no other part has. */
  treasures: readonly string[]
  blocks: readonly ((lines: string[]) => string)[]
  /** What a block can be in. */
  around: readonly ((block: string) => string)[]
}

export const WORDS =
  'invoice driver pallet warehouse carrier booking gate ramp forklift customs label scanner route depot trailer manifest weight window delay reason screen button filter column größe слово שלום 日本語'.split(
    ' ',
  )

/** Items of a dialect: blocks of words that occur once, with treasures between them. */
export function itemsOf(dialect: Dialect): fc.Arbitrary<RichBlock[]> {
  const how = fc.constantFrom('plain', 'plain', 'plain', 'bold', 'italic' as const)
  const part = fc.oneof({ weight: 4, arbitrary: how }, { weight: 1, arbitrary: fc.nat(dialect.treasures.length - 1) })
  const end = fc.constantFrom('', '', '', '', '', '.', ',', ':')
  const line = fc.array(fc.tuple(fc.constantFrom(...WORDS), part, end), { minLength: 1, maxLength: 6 })
  const around = fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...dialect.around) },
  )
  const lines = fc.array(line, { minLength: 2, maxLength: 4 })
  const block = fc.tuple(fc.nat(dialect.blocks.length - 1), lines, around)
  const items = fc.uniqueArray(block, { minLength: 2, maxLength: 6, selector: ([kind]) => kind })
  return items.map((blocks) => {
    let number = 100
    return blocks.map(([kind, lines, wrap]) => {
      const treasures: string[] = []
      const write = (parts: (typeof lines)[number]) =>
        parts
          .map(([word, own, sign]) => {
            const shown = `${word}${number++}`
            if (typeof own === 'string') return dialect.word(`${shown}${own === 'plain' ? sign : ''}`, own)
            const treasure = dialect.treasures[own]!.replaceAll('%', String(number++))
            treasures.push(treasure)
            return [dialect.word(shown, 'plain'), treasure].join(dialect.space)
          })
          .join(dialect.space)
      const written = dialect.blocks[kind]!(lines.map(write))
      const source = wrap === null ? written : wrap(written)
      return { source, treasures: treasures.filter((one) => source.includes(one)) }
    })
  })
}

const OFFICE_BULLET =
  "<!--[if !supportLists]--><span style='font-family:Symbol'>·<span>&nbsp;&nbsp;</span></span><!--[endif]-->"
const office = (name: string, bullet: string, lines: string[]) =>
  lines
    .map((line) => {
      const style = bullet === '' ? '' : " style='mso-list:l0 level1 lfo1'"
      return `<p class=${name}${style}>${bullet}<span style='font-family:"Calibri",sans-serif'>${line}<o:p></o:p></span></p>`
    })
    .join('')

export const htmlItems = itemsOf({
  word: (text, how) =>
    how === 'bold' ? `<b>${text}</b>` : how === 'italic' ? `<i style="color:#333">${text}</i>` : text,
  space: ' ',
  treasures: [
    '<a href="#" data-vss-mention="version:2.0,8c0b%">@Wei Chen</a>',
    '<a href="#" data-vss-mention="version:2.0,9d1c%">@Jane Doe</a>',
    '+1 (425) 555-0%',
    'wei.chen%@contoso.example',
    'x<sup>%</sup>',
    '<span style="color:red">red%</span>',
    '<u>under%</u>',
    '<a href="https://tracker.example.com/p/_workitems/edit/%">story%</a>',
    '<a href="https://docs.example.org/%" title="The docs">docs%</a>',
    'a&nbsp;b% &lt;tag%&gt;',
    '<img src="https://tracker.example.com/_apis/wit/attachments/%?fileName=plan.png" width=300 alt="plan%">',
    '<!-- note % --> noted%',
    'password: Hunter2!x%',
  ],
  blocks: [
    (lines) => `<p>${lines.join(' ')}</p>`,
    (lines) => `<div>${lines.join('</div><div>')}</div>`,
    (lines) => `<div style="margin:0">${lines.join('<br>')}</div>`,
    (lines) => `<h2>${lines[0]}</h2>`,
    (lines) => `<ul>\n<li>${lines.join('</li>\n<li>')}</li>\n</ul>`,
    (lines) => `<ol><li><p>${lines.join('</p></li><li><p>')}</p></li></ol>`,
    (lines) =>
      `<table border=1><tbody>${lines.map((line) => `<tr><td style="width:50%">${line}</td><td>cell</td></tr>`).join('')}</tbody></table>`,
    (lines) => `<blockquote><p>${lines[0]}</p></blockquote>`,
    (lines) => lines.join('<br><br>'),
    (lines) => `\n<p>\n  ${lines.join('\n  ')}\n</p>\n`,
    (lines) => `<ul><li>${lines[0]}<ul><li>${lines.slice(1).join('</li><li>')}</li></ul></li></ul>`,
    (lines) => `<ul><li>${lines[0]}</li><ul><li>${lines[1]}</li></ul></ul>`,
    (lines) => `<ol start=3><li>${lines.join('</li><li>')}</li></ol>`,
    (lines) => `<ul><li>☐ ${lines.join('</li><li>☑ ')}</li></ul>`,
    (lines) =>
      `<table><tr><td colspan=2>${lines[0]}</td></tr><tr><td>${lines[1]}</td><td><p>cell</p></td></tr></table>`,
    (lines) => `<table><tr><td>${lines.join('<br>')}</td><td><ul><li>one</li><li>two</li></ul></td></tr></table>`,
    (lines) => `<pre><code>${lines.join('\n  ')}\n</code></pre>`,
    (lines) => office('MsoNormal', '', lines),
    (lines) => office('MsoListParagraph', OFFICE_BULLET, lines),
    (lines) => office('MsoListParagraph', OFFICE_BULLET, lines.slice(0, 1)),
    (lines) => `<div><div>${lines[0]}</div>${lines[1]}<p>tail</p></div>`,
    (lines) => `<b>${lines[0]}</b><hr>${lines[1]}`,
  ],
  around: [
    (block) => `<div>${block}</div>`,
    (block) => `<blockquote>${block}</blockquote>`,
    (block) => `<ul><li>${block}</li></ul>`,
    (block) => `<table><tr><td>${block}</td><td>cell</td></tr></table>`,
  ],
})

const markdownWord = (text: string, how: string) =>
  how === 'bold' ? `**${text}**` : how === 'italic' ? `_${text}_` : text
const indent = (text: string, by: string) => text.replace(/\n(?=[^\n])/g, `\n${by}`)
const markdownBlocks = [
  (lines: string[]) => lines.join('\n'),
  (lines: string[]) => lines.join('  \n'),
  (lines: string[]) => lines.join('\\\n'),
  (lines: string[]) => lines[0]!,
  (lines: string[]) => `## ${lines[0]}`,
  (lines: string[]) => `${lines[0]}\n---`,
  (lines: string[]) => `* ${lines.join('\n* ')}`,
  (lines: string[]) => `-   ${lines.join('\n    more\n\n-   ')}`,
  (lines: string[]) => `1. ${lines.join('\n2. ')}`,
  (lines: string[]) => `7) ${lines.join('\n8) ')}`,
  (lines: string[]) => `1. ${lines.join('\n1. ')}`,
  (lines: string[]) => `+ [ ] ${lines.join('\n+ [x] ')}`,
  (lines: string[]) => `- [X] ${lines[0]}\n  - [ ] ${lines[1]}`,
  (lines: string[]) => `- ${lines[0]}\n    - ${lines.slice(1).join('\n    - ')}`,
  (lines: string[]) => `1.\t${lines[0]}\n\t* ${lines[1]}\n2.\tlast`,
  (lines: string[]) => `- ${lines[0]}\n\n  \`\`\`\n  run ${lines[1]}\n  \`\`\``,
  (lines: string[]) => `> ${lines.join('\n> ')}`,
  (lines: string[]) => `>${lines[0]}\nlazy\n>\n>- ${lines[1]}\n>- item`,
  (lines: string[]) => `> [!NOTE]\n> ${lines[0]}`,
  (lines: string[]) => `|Name|State|\n|:--|--:|\n${lines.map((line) => `|${line}|cell|`).join('\n')}`,
  (lines: string[]) => `Name | State\n--- | ---\n${lines.map((line) => `${line} | \`a\\|b\``).join('\n')}`,
  (lines: string[]) => `\`\`\`js\n${lines.join('\n  ')}\n\`\`\``,
  (lines: string[]) => `~~~\n- ${lines.join('\n\n# ')}\n~~~`,
  (lines: string[]) => `    ${lines.join('\n\n      ')}`,
  (lines: string[]) => `* * *\n\n${lines[0]}`,
  (lines: string[]) => `<!-- hidden -->\n\n${lines[0]}`,
  (lines: string[]) => `${lines[0]}[^a] of\n\n[^a]: ${lines[1]}\n    more`,
  (lines: string[]) => `[shown][r] ${lines[0]}\n\n[r]: https://docs.example.org/r "Title"`,
  (lines: string[]) => `<details>\n<summary>${lines[0]}</summary>\n\n${lines[1]}\n\n</details>`,
  (lines: string[]) => `<div align="center">\n${lines.join('\n')}\n</div>`,
  (lines: string[]) => `<table><tr><td>${lines.join('</td><td>')}</td></tr></table>`,
  (lines: string[]) => `<ul>\n<li>${lines.join('</li>\n<li>')}</li>\n</ul>`,
]
const markdownAround = [
  (block: string) => `> ${indent(block, '> ').replace(/\n(?=\n)/g, '\n>')}`,
  (block: string) => `- ${indent(block, '  ')}`,
  (block: string) => `12. ${indent(block, '    ')}\n13. next`,
  (block: string) => `* first\n  - ${indent(block, '    ')}`,
]
/** Parts that Markdown has and a clean copy shows in its own way. */
const markdownParts = [
  '\\*not%\\*',
  '`code%`',
  '`` a`b% ``',
  '~~gone%~~',
  '***both%***',
  '**bold% *in* out**',
  '[**b%** `c`](https://docs.example.org/%)',
  'snake_case_%',
  '2 * % * 4',
  '<https://auto.example.org/%>',
  'https://docs.example.org/a_(b)_%?x=1&y=2',
  '&lt;tag%&gt; &nbsp;&#x1F600;',
  'a<br>b%',
  '<!-- note % -->',
  '🚀 👩‍👩‍👧 e\u0301 %',
]

export const markdownItems = itemsOf({
  word: markdownWord,
  space: ' ',
  treasures: [
    ...markdownParts,
    '@<8C8C7D32-1111-4222-8333-1234567%>'.replace('1234567%', '12345678%'),
    '+1 (425) 555-0%',
    'wei.chen%@contoso.example',
    '<u>under%</u>',
    '[story%](https://tracker.example.com/p/_workitems/edit/%)',
    '[docs%](https://docs.example.org/% "The docs")',
    '![plan%](https://tracker.example.com/_apis/wit/attachments/%?fileName=plan.png =300x)',
    '#%',
    'a\\_b% &amp; c%',
    'password: Hunter2!x%',
  ],
  blocks: markdownBlocks,
  around: markdownAround,
})

export const githubItems = itemsOf({
  word: markdownWord,
  space: ' ',
  treasures: [
    ...markdownParts,
    '@octocat%',
    '@Jane Doe',
    '+1 (425) 555-0%',
    'x<sub>%</sub>',
    '<kbd>Ctrl%</kbd>',
    '[docs%](https://docs.example.org/% "The docs")',
    '<img src="https://user-images.example.org/%.png" width="300">',
    '#%',
    ':rocket: a%',
    'token ghp_0123456789abcdefghijklmnopqrst%AB',
  ],
  blocks: markdownBlocks,
  around: markdownAround,
})

export const wikiItems = itemsOf({
  word: (text, how) => (how === 'bold' ? `*${text}*` : how === 'italic' ? `_${text}_` : text),
  space: ' ',
  treasures: [
    '[~amy.smith%]',
    '+1 (425) 555-0%',
    'wei.chen%@contoso.example',
    '{color:red}red%{color}',
    'x^%^',
    '[docs%|https://docs.example.org/%]',
    '+under%+',
    '(/) done%',
    '{{code%}}',
  ],
  blocks: [
    (lines) => lines.join(' '),
    (lines) => `h2. ${lines[0]}`,
    (lines) => `* ${lines.join('\n* ')}`,
    (lines) => `# ${lines[0]}\n## ${lines[1]}`,
    (lines) => `||Name||State||\n${lines.map((line) => `|${line}|cell|`).join('\n')}`,
    (lines) => `{panel:title=Note}\n${lines[0]}\n{panel}`,
    (lines) => `bq. ${lines[0]}`,
    (lines) => `{code:java}\n  if (a) {\n    run();\n  }\n{code}\n\n${lines[0]}`,
    (lines) => lines.join('\n'),
    (lines) => `* ${lines[0]}\n** ${lines.slice(1).join('\n** ')}\n* last`,
    (lines) => `# ${lines.join('\n# ')}`,
    (lines) => `|${lines.join('|')}|`,
    (lines) => `{noformat}\n${lines.join('\n')}\n{noformat}`,
    (lines) => `----\n${lines[0]}`,
  ],
  around: [
    (block) => `{panel}\n${block}\n{panel}`,
    (block) => `{quote}\n${block}\n{quote}`,
    (block) => `h3. Title\n${block}`,
  ],
})

const text = (value: string, marks?: unknown[]) =>
  JSON.stringify({ type: 'text', text: value, ...(marks ? { marks } : {}) })
const node = (type: string, content: string, attrs?: unknown) =>
  `{"type":"${type}",${attrs ? `"attrs":${JSON.stringify(attrs)},` : ''}"content":[${content}]}`
const paragraph = (line: string) => node('paragraph', line)

export const adfItems = itemsOf({
  word: (value, how) =>
    text(
      value,
      how === 'plain'
        ? undefined
        : [{ type: how === 'bold' ? 'strong' : 'em' }, { type: 'textColor', attrs: { color: '#ff0000' } }],
    ),
  space: `,${text(' ')},`,
  treasures: [
    '{"type":"mention","attrs":{"id":"5b10a2844c20165700ede2%","text":"@Amy Smith","accessLevel":""}}',
    text('+1 (425) 555-0%'),
    text('wei.chen%@contoso.example'),
    text('%', [{ type: 'subsup', attrs: { type: 'sup' } }]),
    text('red%', [{ type: 'textColor', attrs: { color: '#97a0af' } }]),
    '{"type":"status","attrs":{"text":"DONE%","color":"green","localId":"a%"}}',
    '{"type":"emoji","attrs":{"shortName":":rocket:","id":"1f680","text":"🚀"}}',
    '{"type":"inlineCard","attrs":{"url":"https://docs.example.org/%"}}',
    text('under%', [{ type: 'underline' }]),
  ],
  blocks: [
    (lines) => paragraph(lines.join(`,${text(' ')},`)),
    (lines) => node('heading', lines[0]!, { level: 2 }),
    (lines) => node('bulletList', lines.map((line) => node('listItem', paragraph(line))).join(',')),
    (lines) => node('orderedList', lines.map((line) => node('listItem', paragraph(line))).join(','), { order: 1 }),
    (lines) => node('panel', lines.map(paragraph).join(','), { panelType: 'info' }),
    (lines) => node('expand', lines.map(paragraph).join(','), { title: 'More' }),
    (lines) =>
      node(
        'taskList',
        lines
          .map((line, index) => node('taskItem', line, { localId: `t${index}`, state: index ? 'DONE' : 'TODO' }))
          .join(','),
        { localId: 'l' },
      ),
    (lines) =>
      node(
        'table',
        lines
          .map((line) =>
            node(
              'tableRow',
              [
                node('tableCell', paragraph(line), { background: '#fff' }),
                node('tableCell', paragraph(text('cell')), {}),
              ].join(','),
            ),
          )
          .join(','),
        { isNumberColumnEnabled: false, layout: 'default' },
      ),
    (lines) =>
      `{"type":"mediaSingle","attrs":{"layout":"center"},"content":[{"type":"media","attrs":{"id":"f1","type":"file","collection":"","width":300}}]},${paragraph(lines[0]!)}`,
    (lines) => paragraph(lines.join(',{"type":"hardBreak"},')),
    (lines) => node('blockquote', lines.map(paragraph).join(',')),
    (lines) => node('orderedList', lines.map((line) => node('listItem', paragraph(line))).join(','), { order: 3 }),
    (lines) =>
      node(
        'bulletList',
        node(
          'listItem',
          `${paragraph(lines[0]!)},${node(
            'bulletList',
            lines
              .slice(1)
              .map((line) => node('listItem', paragraph(line)))
              .join(','),
          )}`,
        ),
      ),
    (lines) =>
      node('table', node('tableRow', lines.map((line) => node('tableHeader', paragraph(line), {})).join(',')), {
        layout: 'wide',
      }),
    (lines) => `{"type":"rule"},${paragraph(lines[0]!)}`,
  ],
  around: [
    (block) => node('panel', block, { panelType: 'warning' }),
    (block) => node('expand', block, { title: 'Part' }),
    (block) => node('bulletList', node('listItem', `${paragraph(text('first'))},${block}`)),
  ],
})
