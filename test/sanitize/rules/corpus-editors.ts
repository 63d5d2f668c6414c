import type { Fragment } from './fragment'

const nbsps = (count: number) => '&nbsp;'.repeat(count)

/** Writes a list item as Word does: a paragraph with its bullet or number as text. */
const wordItem = (marker: string, text: string, level = 1) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:${36 * level}.0pt;mso-add-space:auto;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'>` +
  `<![if !supportLists]><span lang=EN-US style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${marker}` +
  `<span style='font:7.0pt "Times New Roman"'>${nbsps(5)} </span></span></span><![endif]><span lang=EN-US>${text}<o:p></o:p></span></p>`

/** Markup that people paste into work items from common editors. */
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
    name: 'Outlook: a reply with the header of the mail, a safe link, a logo',
    format: 'html',
    input:
      '<div class=WordSection1><p class=MsoNormal>Hi all,<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>see <a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.org%2Fspec&amp;data=05%7C02%7Cjane.doe%40contoso.com%7Cabc&amp;reserved=0"><span style=\'color:#0563C1\'>the spec</span></a>.<o:p></o:p></p><div style=\'border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm\'><p class=MsoNormal><b><span lang=EN-US>From:</span></b><span lang=EN-US> yard &lt;jane.doe@contoso.com&gt; <br><b>Sent:</b> Tuesday, October 6, 2026 9:12 AM<br><b>Subject:</b> RE: doors<o:p></o:p></span></p></div><p class=MsoNormal><img width=16 height=16 id="_x0000_i1025" src="cid:image001.png@01DA.4E" alt="logo"><o:p></o:p></p></div>',
    exactly:
      'Hi all,\n\nsee [the spec](https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.org%2Fspec&reserved=0).\n\n**From:** yard <[email removed]>\\\n**Sent:** Tuesday, October 6, 2026 9:12 AM\\\n**Subject:** RE: doors\n\nlogo',
    removed: { email: 2, attachment: 1, 'office-markup': 10 },
  },
  {
    name: 'Excel: numbers, dates and formulas of cells, a cell over two rows',
    format: 'html',
    input:
      "<table border=0 cellpadding=0 cellspacing=0 width=256 style='border-collapse:collapse;width:192pt'><col width=64 span=3 style='width:48pt'><tr height=20><th height=20 class=xl63 width=64>Door</th><th class=xl63>Day</th><th class=xl63>Pallets</th></tr><tr><td rowspan=2 class=xl64>12</td><td class=xl65 align=right x:num=\"46332\">06/10/2026</td><td align=right x:num x:fmla=\"=SUM(C1:C4)\">26</td></tr><tr><td class=xl65 style='mso-number-format:\"Short Date\"'>07/10/2026</td><td style='mso-ignore:colspan'>#REF!</td></tr></table>",
    exactly: '| Door | Day | Pallets |\n| --- | --- | --- |\n| 12 | 06/10/2026 | 26 |\n|  | 07/10/2026 | #REF! |',
    removed: { 'office-markup': 2 },
  },
  {
    name: 'Google Sheets: cells with the values of the sheet beside what they show',
    format: 'html',
    input:
      '<google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" dir="ltr" border="1" data-sheets-root="1"><colgroup><col width="100"/></colgroup><tbody><tr style="height:21px;"><td style="font-weight:bold;">Door</td><td style="font-weight:bold;">Owner</td></tr><tr><td data-sheets-value="{&quot;1&quot;:3,&quot;3&quot;:12}">12</td><td>ana.lee@contoso.com<br/>or nobody</td></tr></tbody></table></google-sheets-html-origin>',
    exactly: '| Door | Owner |\n| --- | --- |\n| 12 | [email removed]<br>or nobody |',
    removed: { email: 1, style: 1 },
  },
  {
    name: 'Google Docs: a checklist, a table, a link of its own',
    format: 'html',
    input:
      '<meta charset=\'utf-8\'><b style="font-weight:normal;" id="docs-internal-guid-2"><ul style="margin-top:0;"><li dir="ltr" role="checkbox" aria-checked="true"><p dir="ltr" role="presentation"><span>done</span></p></li><li dir="ltr" role="checkbox" aria-checked="false"><p dir="ltr" role="presentation"><span>open</span></p></li></ul><br /><div dir="ltr" align="left"><table><colgroup><col width="312" /></colgroup><tbody><tr><td><p dir="ltr"><span style="font-weight:700;">Case</span></p></td><td><p dir="ltr"><span style="font-weight:700;">Result</span></p></td></tr><tr><td><p dir="ltr"><span>late</span></p></td><td><p dir="ltr"><span style="font-family:\'Courier New\'">red</span></p><p dir="ltr"><span>blinks</span></p></td></tr></tbody></table></div><p dir="ltr"><a href="https://www.google.com/url?q=https://example.org/&amp;sa=D" style="text-decoration:none;"><span style="text-decoration:underline;">link</span></a></p></b>',
    exactly:
      '- [x] done\n- [ ] open\n\n| **Case** | **Result** |\n| --- | --- |\n| late | red<br>blinks |\n\n[link](https://www.google.com/url?q=https://example.org/&sa=D)',
    removed: { metadata: 1 },
  },
  {
    name: 'a list below an item that does not begin at one stays a list',
    format: 'html',
    input: '<ol><li>one<ol start="3"><li>three</li></ol></li><li>two</li></ol>',
    exactly: '1. one\n\n   3. three\n\n2. two',
    removed: {},
  },
  {
    name: 'such a list right within an item of another one stays a list too, for every reader',
    format: 'html',
    input: '<ul><li>one<ul><li><ol start="2"><li>two</li></ol></li></ul></li></ul>',
    exactly: '- one\n\n  - 2. two',
    removed: {},
  },
  {
    name: 'plain text typed with the signs of Markdown',
    format: 'html',
    input:
      '<div>Line with &lt;code&gt;, **stars**, 1. not an item</div><div>- dash typed</div><div># hash typed</div><div>5 * 3 = 15, a_b_c, __init__, ~/path</div>',
    exactly:
      'Line with \\<code>, \\*\\*stars\\*\\*, 1. not an item\n\n\\- dash typed\n\n\\# hash typed\n\n5 \\* 3 = 15, a_b_c, \\_\\_init\\_\\_, \\~/path',
    removed: {},
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
    exactly: '@someone ok 👍',
    removed: { mention: 1 },
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
