import type { Fragment } from './fragment'

const nbsps = (count: number) => '&nbsp;'.repeat(count)

/** A list item as Word writes it: a paragraph with its bullet or number as text. */
const wordItem = (marker: string, text: string, level = 1) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:${36 * level}.0pt;mso-add-space:auto;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'>` +
  `<![if !supportLists]><span lang=EN-US style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${marker}` +
  `<span style='font:7.0pt "Times New Roman"'>${nbsps(5)} </span></span></span><![endif]><span lang=EN-US>${text}<o:p></o:p></span></p>`

/** What the editors that people paste from put into a work item. */
export const editors: Fragment[] = [
  {
    name: "the tracker's own editor: a line is a div, an empty line a div with a break",
    format: 'html',
    input:
      '<div style="box-sizing:border-box;">As a <b>planner</b> I want to see late trucks.<br></div><div style="box-sizing:border-box;"><br></div><div>So that I can <i>re-plan</i>.&nbsp;</div>',
    exactly: 'As a **planner** I want to see late trucks.\n\nSo that I can *re-plan*.',
    removed: {},
  },
  {
    name: "the tracker's own editor: nested lists, headings, a code block",
    format: 'html',
    input:
      '<h2>Steps</h2><ol><li>Open the board<ul><li>as a planner</li><li>as a <code>guest</code></li></ul></li><li>Reload</li></ol><pre><code class="language-sql">select *\nfrom door<br>where id = 1;</code></pre>',
    exactly:
      '## Steps\n\n1. Open the board\n   - as a planner\n   - as a `guest`\n2. Reload\n\n```sql\nselect *\nfrom door\nwhere id = 1;\n```',
    removed: {},
  },
  {
    name: "the tracker's mention of a person, and of an item",
    format: 'html',
    input:
      '<div><a href="#" data-vss-mention="version:2.0,8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d">@Jane Doe</a>&nbsp;please look at <a href="https://tracker.example.com/org/web/_workitems/edit/12/" data-vss-mention="version:1.0">#12</a></div>',
    exactly: '@someone please look at #12',
    removed: { mention: 1, 'internal-link': 1 },
  },
  {
    name: "the tracker's older mention, by mail address",
    format: 'html',
    input: '<a href="mailto:jane.doe@contoso.com" data-vss-mention="version:1.0">@Jane Doe</a> said so',
    exactly: '@someone said so',
    removed: { mention: 1 },
  },
  {
    name: 'Word: paragraphs, bold labels, smart tags, conditional comments, an XML island',
    format: 'html',
    input:
      '<!--StartFragment--><!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]--><style>p.MsoNormal {mso-style-parent:"";}</style>' +
      "<p class=MsoNormal><b><span lang=EN-US style='mso-ansi-language:EN-US'>Scope:</span></b><span lang=EN-US> all doors in <st1:place>Rotterdam</st1:place><o:p></o:p></span></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Second paragraph<!--EndFragment--></p>",
    exactly: '**Scope:** all doors in Rotterdam\n\nSecond paragraph',
    drops: ['mso', 'Mso', 'Normal', 'xml'],
  },
  {
    name: 'Word: a bulleted list in levels',
    format: 'html',
    input: `${wordItem('·', 'First')}\n${wordItem('o', 'Deeper', 2)}\n${wordItem('§', 'Deepest', 3)}\n${wordItem('·', 'Last')}`,
    exactly: '- First\n  - Deeper\n    - Deepest\n- Last',
  },
  {
    name: 'Word: a numbered list that goes on after a paragraph, with letters below',
    format: 'html',
    input: `${wordItem('1.', 'One')}${wordItem('a)', 'letter', 2)}${wordItem('b)', 'letter', 2)}${wordItem('2.', 'Two')}<p class=MsoNormal>Between</p>${wordItem('3.', 'Three')}`,
    exactly: '1. One\n   1. letter\n   2. letter\n2. Two\n\nBetween\n\n3. Three',
  },
  {
    name: 'Word: list paragraphs whose styles an editor has stripped',
    format: 'html',
    input: `<p class="MsoListParagraphCxSpFirst"><span><span>1.<span style="font:7.0pt &quot;Times New Roman&quot;">${nbsps(6)} </span></span></span><span>Create the file</span></p><p class="MsoListParagraphCxSpLast"><span><span>2.<span>${nbsps(6)} </span></span></span>Save the file</p>`,
    exactly: '1. Create the file\n2. Save the file',
  },
  {
    name: 'Word: a list paragraph without a marker is a paragraph',
    format: 'html',
    input: '<p class=MsoListParagraph style="margin-left:0in">A normal sentence.</p>',
    exactly: 'A normal sentence.',
  },
  {
    name: 'Word on the web: each item is a list of its own',
    format: 'html',
    input:
      '<div class="ListContainerWrapper"><ul role="list"><li data-aria-level="1" role="listitem"><p><span class="TextRun"><span>One</span></span><span class="EOP">&nbsp;</span></p></li></ul></div><div class="ListContainerWrapper"><ul><li data-aria-level="2"><p>Two</p></li></ul></div><div class="ListContainerWrapper"><ul><li data-aria-level="1"><p>Three</p></li></ul></div>',
    exactly: '- One\n  - Two\n- Three',
  },
  {
    name: 'Outlook: a quoted mail in layout tables',
    format: 'html',
    input:
      '<table border=0 cellpadding=0 width="100%"><tr><td><table><tr><td><p class=MsoNormal>Please <s>keep</s> drop this.</p><p class=MsoNormal>Regards</p></td></tr></table></td></tr></table><blockquote style="border-left:solid #ccc 1pt"><p>Earlier text</p></blockquote>',
    exactly: 'Please ~~keep~~ drop this.\n\nRegards\n\n> Earlier text',
  },
  {
    name: 'Excel: a table without a header, with a title over all columns and styles of cells',
    format: 'html',
    input:
      '<table border=0 style="border-collapse:collapse"><colgroup><col width=64 style="mso-width-source:userset"><col width=80></colgroup><tr height=20><td colspan=2 class=xl65>Doors</td></tr><tr><td class=xl66>Door</td><td class=xl66 x:str>Carrier</td></tr><tr><td align=right x:num>12</td><td>ACME<br>Ltd</td></tr><tr><td></td><td></td></tr></table>',
    exactly: 'Doors\n\n| Door | Carrier |\n| --- | --- |\n| 12 | ACME<br>Ltd |',
  },
  {
    name: 'a table with a header, spans, and blocks in its cells',
    format: 'html',
    input:
      '<table><thead><tr><th>Case</th><th>Steps</th><th>Result</th></tr></thead><tbody><tr><td rowspan=2>Late</td><td><ol><li>open</li><li>wait</li></ol></td><td>red | bold</td></tr><tr><td colspan=2><p>none</p><p>of them</p></td></tr></tbody></table>',
    exactly:
      '| Case | Steps | Result |\n| --- | --- | --- |\n| Late | 1. open<br>2. wait | red \\| bold |\n|  | none<br>of them |  |',
  },
  {
    name: 'Google Docs: a bold wrapper that is none, emphasis by style, a list right within a list',
    format: 'html',
    input:
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-weight:400;">Plan</span></h2><p dir="ltr"><span style="font-weight:700;font-style:normal;">Who</span><span style="font-weight:400;"> and </span><span style="font-weight:400;font-style:italic;">why</span><span style="text-decoration:line-through">never</span></p><ul><li dir="ltr" aria-level="1"><p><span>a</span></p></li><ul><li dir="ltr" aria-level="2"><p><span>b</span></p></li></ul><li aria-level="1"><p>c</p></li></ul><br></b>',
    exactly: '## Plan\n\n**Who** and *why*~~never~~\n\n- a\n  - b\n- c',
    removed: { metadata: 1 },
  },
  {
    name: 'a chat: mentions and an emoji as an image',
    format: 'html',
    input:
      '<p><at id="0">Jane Doe</at> ok <img alt="👍" src="https://statics.example.net/emoji/1.png" width="20" height="20"></p>',
    exactly: '@someone ok [👍](https://statics.example.net/emoji/1.png)',
    removed: { mention: 1, image: 1 },
  },
  {
    name: 'a task list',
    format: 'html',
    input:
      '<ul><li><input type="checkbox" checked disabled> done</li><li><p><input type="checkbox"> open</p></li></ul>',
    exactly: '- [x] done\n- [ ] open',
    removed: {},
  },
  {
    name: 'terms and what they mean',
    format: 'html',
    input: '<dl><dt>Door</dt><dd>where a truck stands</dd><dt>Slot</dt><dd>when</dd></dl>',
    exactly: '- **Door**\n\n  where a truck stands\n\n- **Slot**\n\n  when',
  },
  {
    name: 'powers and degrees, quotes, a rule',
    format: 'html',
    input: '<p>10<sup>6</sup> m<sup>2</sup>, H<sub>2</sub>O, <q>quoted</q></p><hr><p>5&nbsp;&deg;C</p>',
    exactly: '10⁶ m², H2O, "quoted"\n\n---\n\n5 °C',
  },
  {
    name: 'blank and invisible characters by the dozen',
    format: 'html',
    input: `<p>a${nbsps(30)}b\u200b\u200bc\u00add\ufeff</p><p>${nbsps(40)}</p><p>\u202eevil\u202c 👩\u200d💻</p>`,
    exactly: 'a bcd\n\nevil 👩\u200d💻',
    removed: { 'invisible-character': 6 },
  },
  {
    name: 'two breaks part paragraphs, one does not',
    format: 'html',
    input: 'one<br>two<br><br>three<br><br><br>four<br>',
    exactly: 'one\\\ntwo\n\nthree\n\nfour',
  },
  {
    name: 'inline code over several lines is a code block',
    format: 'html',
    input: '<p>Run</p><code><div>npm ci</div><div>npm test</div></code>',
    exactly: 'Run\n\n```\nnpm ci\nnpm test\n```',
  },
  {
    name: 'formatting around blocks',
    format: 'html',
    input: '<b><p>one</p><ul><li>two</li></ul></b><a href="https://example.org/"><div>three</div></a>',
    exactly: '**one**\n\n- **two**\n\n[three](https://example.org/)',
  },
  {
    name: 'signs that mean something in Markdown are text',
    format: 'html',
    input:
      '<p># no heading</p><p>1. no item</p><p>- nor this</p><p>*stars* _lines_ snake_case `ticks` [UI] [a](b) &lt;b&gt; &amp;amp; a|b ~x~ C# view.html a@b T&amp;C</p>',
    exactly:
      '\\# no heading\n\n1\\. no item\n\n\\- nor this\n\n\\*stars\\* \\_lines\\_ snake_case \\`ticks\\` [UI] [a]\\(b) \\<b> \\&amp; a|b \\~x\\~ C# view.html a@b T&C',
    removed: {},
  },
]
