/** Long texts of work items as editors produce them, about 5 KB each with their markup. */
interface LongText {
  format: 'html' | 'markdown'
  text: string
}

const line = (content: string) => `<div style="box-sizing:border-box;">${content}</div>`
const empty = line('<br>')

/** A story with its description and criteria, written in the editor of the tracker. */
const story = [
  line('<b style="box-sizing:border-box;">As a</b> yard planner at a site with more than twenty doors'),
  line('<b>I want</b> to see which trucks will miss their slot <i>before</i> they reach the gate'),
  line('<b>so that</b> I can give the door to somebody who is already waiting.'),
  empty,
  '<h2 style="box-sizing:border-box;">Background</h2>',
  line(
    'Today the board shows an appointment as <i>expected</i> until its end has passed. Carriers report their position every 5&nbsp;minutes (see <a href="https://docs.example.org/eta/v2?lang=en&amp;page=3">the interface of the ETA service</a>), but nobody looks at it. In week 38 we lost 41 door hours that way; <a href="#" data-vss-mention="version:2.0,8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d">@Jane Doe</a> has the figures, and <a href="https://tracker.example.com/quay/_workitems/edit/1187" data-vss-mention="version:1.0">#1187</a> holds the sketches.',
  ),
  empty,
  line(
    'Contact on the carrier&#39;s side: Marek Novak, marek.novak@carrier.example, +420 601 234 567. The test system is at <a href="https://tracker.example.com/quay/test">https://tracker.example.com/quay/test</a>.',
  ),
  '<h2>What changes</h2>',
  '<ul style="box-sizing:border-box;padding:0px 0px 0px 40px;"><li style="box-sizing:border-box;">The board marks an appointment as <b>late</b> when the expected arrival is after <code>start + tolerance</code>.<ul><li>The tolerance is a setting of the site, 15 minutes where none is set.</li><li>A door that is blocked counts as not there.</li></ul></li><li>A late appointment offers <i>Move</i> and <i>Give away</i>; both ask first.</li><li>The history of the appointment says who did what, and why (free text, at least 3 letters).</li></ul>',
  '<ol><li>Open the board of <b>DC North</b>.</li><li>Choose the day and door 12&ndash;18.</li><li>Wait for the next position, or send one: <code>POST /positions?truck=B-TX%20410</code></li></ol>',
  empty,
  line('Settings of a site:'),
  '<table style="border-collapse:collapse;"><tbody><tr><th style="border:1px solid;">Setting</th><th>Values</th><th>Default</th></tr><tr><td style="border:1px solid;">tolerance_minutes</td><td>0 to 120</td><td>15</td></tr><tr><td>give_away_after</td><td>0 to 240, or never</td><td>45</td></tr><tr><td>notify</td><td>nobody | planner | all</td><td>planner</td></tr></tbody></table>',
  '<pre style="box-sizing:border-box;"><code class="language-sql">select a.id, a.door_id, p.eta\n  from appointment a\n  join position p on p.truck = a.truck\n where p.eta &gt; a.starts_at + site.tolerance\n   and a.state &lt;&gt; \'done\';</code></pre>',
  '<h2 style="box-sizing:border-box;">Messages to the carrier</h2>',
  line('They are short, in the language of the driver, and hold neither names nor figures of other carriers:'),
  '<ul><li style="box-sizing:border-box;">&quot;Your slot at door {door} is gone. Next free: {time}. Reply 1 to take it.&quot;</li><li style="box-sizing:border-box;">&quot;You are expected at {time}; you will be about {minutes} minutes late. No need to call.&quot;</li></ul>',
  line(
    'A message goes out once for an appointment and reason. When it cannot be delivered the planner sees a <b>!</b> beside the truck, and the board says why (no number, number refused, gateway down). See <a href="https://docs.example.org/messages">Messages</a> and <i>RFC 2119</i> for what &quot;must&quot; means here.',
  ),
  empty,
  line('Not in this story: the *mobile* board, and what the gate prints (a &lt;barcode&gt; of type Code_128).'),
  '<h2>Acceptance criteria</h2>',
  '<ul><li><b>Given</b> an appointment from 10:00 to 11:00 and a tolerance of 15 minutes<br><b>When</b> the carrier reports an arrival at 10:20<br><b>Then</b> the board shows it as late within 30 seconds.</li><li><b>Given</b> a late appointment<br><b>When</b> the planner gives its door away<br><b>Then</b> the carrier gets a message, the door is free from that minute on, and the history names the planner.</li><li>A position that is older than 30 minutes is shown as <span style="color:rgb(204, 0, 0);">unknown</span>, never as late.</li><li>Nothing changes for sites that have no positions (about 60&nbsp;%).</li></ul>',
  line(
    'Measured on the data of <i>October</i>: at most 3 in 100 marked wrongly, see <a href="https://reports.example.org/eta">https://reports.example.org/eta</a>. Ask <a href="mailto:ana.lee@contoso.example">Ana Lee</a> for an account; the password of the demo user is in the vault.&nbsp;',
  ),
].join('')

const wordText = (text: string) =>
  `<p class=MsoNormal style='margin-bottom:8.0pt;line-height:107%'><span lang=EN-US style='font-size:11.0pt;line-height:107%;font-family:"Calibri",sans-serif;mso-ansi-language:EN-US'>${text}<o:p></o:p></span></p>`
const wordItem = (text: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:36.0pt;mso-add-space:auto;text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span lang=EN-US style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span lang=EN-US>${text}<o:p></o:p></span></p>`

/** A similar text, pasted from Word: most of it is unnecessary markup. */
const pasted = [
  '<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]--><style>p.MsoNormal {mso-style-parent:"";margin:0cm;}</style>',
  wordText('<b>Scope:</b> all doors in <st1:place>Rotterdam</st1:place> and the yard behind them.'),
  wordText('The gate prints a ticket with the door, the time and the name of the carrier; a truck without one waits.'),
  ...[
    'Tickets are printed within five seconds.',
    'A ticket that is lost can be printed again, once.',
    'The number on the ticket is the reference of the appointment.',
    'Drivers read it in their own language.',
  ].map(wordItem),
  wordText('A second page tells the driver where to park, which papers the yard wants to see, and whom to ask.'),
  wordText(
    '<b>Out of scope:</b> printing at home, and tickets that are read by a camera (see the story about plates).',
  ),
  ...['Paper must be there in the morning.', 'An empty printer shows on the board within a minute.'].map(wordItem),
  wordText('Call +31 10 123 45 67 before you change the <i>layout</i>; the printers are old.'),
  "<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none;mso-border-alt:solid windowtext .5pt'><tr style='mso-yfti-irow:0'><td width=301 valign=top style='width:225.4pt'><p class=MsoNormal>Printer<o:p></o:p></p></td><td><p class=MsoNormal>Place<o:p></o:p></p></td></tr><tr><td><p class=MsoNormal>P-01<o:p></o:p></p></td><td><p class=MsoNormal>North gate<o:p></o:p></p></td></tr></table>",
  wordText('Signed off by jane.doe@contoso.example on 2026-10-02.'),
].join('\n')

/** A story in a Markdown field. */
const markdown = `## Background

**As a** yard planner at a site with more than twenty doors
**I want** to see which trucks will miss their slot *before* they reach the gate
**so that** I can give the door to somebody who is already waiting.

Today the board shows an appointment as _expected_ until its end has passed. Carriers report their position every 5 minutes (see [the interface of the ETA service](https://docs.example.org/eta/v2?lang=en&page=3)), but nobody looks at it. In week 38 we lost 41 door hours that way; @<8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d> has the figures, and #1187 holds the sketches.

![sketch of the board](/quay/_apis/wit/attachments/1f6b9a12?fileName=board.png)

Contact on the carrier's side: Marek Novak, marek.novak@carrier.example, +420 601 234 567. The test system is at https://tracker.example.com/quay/test.

## What changes

* The board marks an appointment as **late** when the expected arrival is after \`start + tolerance\`.
  * The tolerance is a setting of the site, 15 minutes where none is set.
  * A door that is blocked counts as not there.
* A late appointment offers *Move* and *Give away*; both ask first.
* The history of the appointment says who did what, and why (free text, at least 3 letters).

1. Open the board of **DC North**.
2. Choose the day and door 12–18.
3. Wait for the next position, or send one: \`POST /positions?truck=B-TX%20410\`

| Setting | Values | Default |
|---|---|---|
| tolerance_minutes | 0 to 120 | 15 |
| give_away_after | 0 to 240, or never | 45 |
| notify | nobody \\| planner \\| all | planner |

\`\`\`sql
select a.id, a.door_id, p.eta
  from appointment a
  join position p on p.truck = a.truck
 where p.eta > a.starts_at + site.tolerance
   and a.state <> 'done';
\`\`\`

## Messages to the carrier

They are short, in the language of the driver, and hold neither names nor figures of other carriers:

* "Your slot at door {door} is gone. Next free: {time}. Reply 1 to take it."
* "You are expected at {time}; you will be about {minutes} minutes late. No need to call."

A message goes out once for an appointment and reason. When it cannot be delivered the planner sees a **!** beside the truck, and the board says why (no number, number refused, gateway down). See [Messages](https://docs.example.org/messages) and *RFC 2119* for what "must" means here.

### What the planner does then

1. She looks at the board and chooses *Give away* or *Wait*.
2. Where she waits, the next check is after \`give_away_after\` minutes.
3. Where she gives the door away, the first truck in the queue gets it:
   - one that is on the yard already,
   - else the one that is expected first,
   - else nobody, and the door stays free.

> A door that is given away is not taken back, whoever comes. That was decided with the carriers in September, and it holds for all sites but the cold store, where a truck cannot wait on the yard with its cooling off. There the planner calls first.

Trucks without a position are never late; they are *unknown* after thirty minutes, and the board shows them in grey below the others. A planner can tell the board what she heard by telephone, and that counts as a position from then on.

What the history says, for each change:

- when, to the second, in the time zone of the site
- who: a planner by her name, the board itself as "board", a carrier by its code
- what: moved, given away, waited for, told by telephone
- why, in the planner's own words

Reports count an appointment once, under the last thing that happened to it. The figures of a day are final at noon of the next one; what is changed after that is shown beside them and not added, so that a report that was sent yesterday can be made again today and says the same.

Not in this story: the \\*mobile\\* board, and what the gate prints (a \\<barcode> of type Code_128).

## Acceptance criteria

- **Given** an appointment from 10:00 to 11:00 and a tolerance of 15 minutes<br>**When** the carrier reports an arrival at 10:20<br>**Then** the board shows it as late within 30 seconds.
- **Given** a late appointment<br>**When** the planner gives its door away<br>**Then** the carrier gets a message, the door is free from that minute on, and the history names the planner.
- A position that is older than 30 minutes is shown as <span style="color:red">unknown</span>, never as late.
- [x] Nothing changes for sites that have no positions (about 60 %).
- [ ] At most 3 in 100 marked wrongly, see <https://reports.example.org/eta>.
`

export const texts: Record<string, LongText> = {
  "a story from the tracker's own editor": { format: 'html', text: story },
  'the same kind of text pasted from Word': { format: 'html', text: pasted },
  'a story in Markdown': { format: 'markdown', text: markdown },
}
