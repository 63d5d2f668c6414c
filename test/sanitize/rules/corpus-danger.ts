import { fake, password, privateKey, tokens } from './fake-secrets'
import type { Fragment } from './fragment'

const nul = String.fromCharCode(0)

/** Links whose address a browser would execute, in different notations. */
const activeAddresses: Record<string, string> = {
  plain: 'javascript:alert(1)',
  'in capitals': 'JaVaScRiPt:alert(1)',
  'with blanks before it': ' \t\njavascript:alert(1)',
  'with a line end in it': 'java&#10;script:alert(1)',
  'with a tab in it': 'java&Tab;script:alert(1)',
  'with an entity for its colon': 'javascript&colon;alert(1)',
  'with hexadecimal entities': '&#x6A;&#x61;vascript:alert(1)',
  'with a control character before it': '&#1;javascript:alert(1)',
  'with a NUL in it': `java${nul}script:alert(1)`,
  'with a zero width character in it': 'java&#8203;script:alert(1)',
  'percent-encoded': 'javascript%3Aalert(1)',
  vbscript: 'vbscript:msgbox(1)',
  data: 'data:text/html;base64,PHNjcmlwdD4=',
  'view-source': 'view-source:javascript:alert(1)',
  blob: 'blob:https://example.org/1',
  'feed around it': 'feed:javascript:alert(1)',
}

export const danger: Fragment[] = [
  {
    name: 'scripts, styles and their content',
    format: 'html',
    input:
      '<p onclick="steal()" OnMouseOver=x>a<script>steal()</script><style>p{}</style><link rel=stylesheet href=x></p><SCRIPT SRC=//evil.example/x.js></SCRIPT><noscript>b</noscript>',
    exactly: 'a\n\nb',
    removed: { script: 2, style: 2, 'event-handler': 2 },
  },
  {
    name: 'frames, objects, forms, drawings, the head of a page',
    format: 'html',
    input:
      '<html><head><title>T</title><base href="https://evil.example/"><meta http-equiv=refresh content=0></head><body onload=x><iframe src=x>old</iframe><object data=x><p>o</p></object><embed src=x><form action=x>Name <input name=n value=v><select><option>s</option></select><textarea>t</textarea><button>Go</button></form><svg><script>1</script><text>v</text></svg><canvas>c</canvas><a href="next">rel</a></body></html>',
    exactly: 'Name\n\nrel',
    removed: { metadata: 3, frame: 3, form: 4, drawing: 2, 'internal-link': 1 },
  },
  {
    name: 'what the source hides',
    format: 'html',
    input:
      '<p>seen<span style="display:none">1</span><span style="mso-hide:all">2</span><span hidden>3</span><span style="font-size:0px">4</span></p><div style="visibility: hidden">5</div>',
    exactly: 'seen',
    removed: { hidden: 5 },
  },
  {
    name: 'markup that is broken to slip through',
    format: 'html',
    input: '<scr<script>ipt>alert(1)</scr</script>ipt><img src=x onerror=alert(1)//<b>bold</b><<p>text</p>',
    keeps: ['text'],
    drops: ['onerror'],
  },
  {
    name: 'elements that no list knows keep their text and nothing else',
    format: 'html',
    input: '<x-card onfocus=alert(1) tabindex=1><p>in <blink>a</blink> card</p></x-card>',
    exactly: 'in a card',
    removed: { 'event-handler': 1 },
  },
  ...Object.entries(activeAddresses).map(
    ([how, address]): Fragment => ({
      name: `an address that is run: ${how}`,
      format: 'html',
      input: `<a href="${address}">text</a>`,
      exactly: 'text',
    }),
  ),
  {
    name: 'addresses that are run, in Markdown',
    format: 'markdown',
    input:
      '[a](javascript:alert(1)) [b](<java\tscript:alert(1)>) [c][d] <javascript:alert(1)> ![e](javascript:alert(1)) [f](JAVASCRIPT&#58;alert(1))\n\n[d]: javascript:alert(1)',
    exactly: 'a b c [link removed] e f',
    removed: { 'unsafe-url': 6 },
  },
  {
    name: 'images: of a tracking pixel nothing, of others a link, of attachments the text',
    format: 'html',
    input:
      '<img src="https://mail.example.net/wf/open?u=1" alt=""><img src="https://x.example.net/p" width="1" height="1"><img src="https://x.example.net/q" style="width:1px;height:1px"><img src="https://x.example.net/chart.png" alt="the chart"> <img src="https://tracker.example.com/org/_apis/wit/attachments/9?fileName=screen%20shot.png"> <img src="data:image/png;base64,AAAA" alt="inline"> <img src="cid:image001.png@01D9"> <img src="/relative.png" alt="here">',
    exactly: '[the chart](https://x.example.net/chart.png) screen shot.png inline here',
    removed: { 'tracking-image': 3, image: 1, attachment: 3, 'unsafe-url': 1 },
  },
  {
    name: 'an image within a link is its text',
    format: 'html',
    input: '<a href="https://example.org/"><img src="https://x.example.net/logo.png" alt="Example"></a>',
    exactly: '[Example](https://example.org/)',
    removed: { image: 1 },
  },
  {
    name: 'images of Markdown',
    format: 'markdown',
    input:
      '![chart](https://x.example.net/c.png "title") ![s.png](/.attachments/s.png) ![][p]\n\n[p]: https://x.example.net/pixel.gif',
    exactly: '[chart](https://x.example.net/c.png) s.png',
    removed: { image: 1, attachment: 1, 'tracking-image': 1 },
  },
  {
    name: 'links that open only inside the tracker or on one machine',
    format: 'html',
    input:
      '<a href="https://tracker.example.com/org/web">board</a>, <a href="https://search.tracker.example.com/q">search</a>, <a href="https://other.example.org/c/_workitems/edit/5">item 5</a>, <a href="../relative">relative</a>, <a href="#part">part</a>, <a href="vstfs:///Git/Commit/1">commit</a>, <a href="file:///C:/x.docx">file</a>, <a href="x-mvwit:workitem/7">seven</a>, <a href="https://tracker.example.com/a">https://tracker.example.com/a</a>, https://tracker.example.com/org/_workitems/edit/9',
    exactly: 'board, search, item 5, relative, part, commit, file, seven, [link removed], [link removed]',
    removed: { 'internal-link': 10 },
  },
  {
    name: 'links that lead elsewhere stay, however they are written',
    format: 'html',
    input:
      '<a href="https://example.org/spec?a=1&amp;b=2#part">spec</a> https://example.org/a_(b). <a href="//cdn.example.org/x">cdn</a> <a href=" https://example.org/x y ">blank</a> www.example.org/z',
    exactly:
      '[spec](https://example.org/spec?a=1&b=2#part) <https://example.org/a_(b)>. [cdn](https://cdn.example.org/x) [blank](https://example.org/x%20y) [www.example.org/z](http://www.example.org/z)',
    removed: {},
  },
  {
    name: 'credentials in the address of a link',
    format: 'html',
    input: `<a href="https://bob:${password}@example.org/repo">repo</a> <a href="https://example.org/f?name=x&amp;sig=${fake('', 43)}%3D&amp;se=2030">blob</a> <a href="https://example.org/${tokens['GitHub']}/x">in path</a> <a href="https://example.org/?to=jane@contoso.com&amp;x=1">mail</a>`,
    exactly:
      '[repo](https://example.org/repo) [blob](https://example.org/f?name=x&se=2030) in path [mail](https://example.org/?x=1)',
    removed: { password: 1, token: 2, email: 1 },
  },
  {
    name: 'a mail link of a name is a mention, of its address an address, of anything else its text',
    format: 'html',
    input:
      '<a href="mailto:jane@contoso.com">Doe, Jane (External)</a>; <a href="mailto:jane@contoso.com?subject=x">jane@contoso.com</a>; <a href="mailto:help@contoso.com">write to us</a>',
    exactly: '@someone; [email removed]; write to us',
    removed: { mention: 1, email: 2 },
  },
  {
    name: 'people: addresses, phones, accounts, mentions by name',
    format: 'html',
    input:
      '<p>Ask @Jane Doe or @Jane, mail <b>jane</b>.doe@contoso.com or call +31 (0)10 123 45 67 ext. 12, log in as CONTOSO\\jdoe (jdoe@corp.local).</p>',
    exactly:
      'Ask @someone or @someone, mail **[email removed]** or call [phone removed], log in as [account removed] ([account removed]).',
    removed: { mention: 2, email: 1, phone: 1, account: 2 },
  },
  {
    name: 'a telephone link is a number, whatever its form',
    format: 'html',
    input: '<a href="tel:+12125550147">555 0147</a> <a href="tel:+12125550147">ring us</a>',
    exactly: '[phone removed] ring us',
    removed: { phone: 2 },
  },
  {
    name: 'a private key, each line a div of its own',
    format: 'html',
    input: `<div>key:</div>${privateKey.map((line) => `<div>${line}</div>`).join('')}<div>end</div>`,
    exactly: 'key:\n\n[secret removed]\n\nend',
    removed: { 'private-key': 1 },
  },
  {
    name: 'secrets in code, in a table and over formatting',
    format: 'markdown',
    input: `\`\`\`json\n{"password": "${password}", "user": "jane@contoso.com"}\n\`\`\`\n\n| key | value |\n|---|---|\n| token | \`${tokens['GitHub']}\` |\n\n**Password:** ${password}`,
    exactly:
      '```json\n{"password": "[secret removed]", "user": "[email removed]"}\n```\n\n| key | value |\n| --- | --- |\n| token | `[secret removed]` |\n\n**Password:** [secret removed]',
    removed: { email: 1, token: 1, password: 2 },
  },
]
