import type { Fragment } from './fragment'

/** Markdown that people and tools write. */
export const markdown: Fragment[] = [
  {
    name: 'clean Markdown stays to the letter',
    format: 'markdown',
    input:
      '# Title\n\nText with **bold**, *italic*, ~~struck~~ and `code`.\\\nA second line.\n\n- one\n  - two\n- [ ] open\n- [x] done\n\n1. first\n2. second\n\n> quoted\n\n```ts\nconst a = 1\n```\n\n| a | b |\n| :-- | --: |\n| 1 | 2 |\n\n---\n\n[link](https://example.org/) and <https://example.org/x>',
    exactly:
      '# Title\n\nText with **bold**, *italic*, ~~struck~~ and `code`.\\\nA second line.\n\n- one\n  - two\n- [ ] open\n- [x] done\n\n1. first\n2. second\n\n> quoted\n\n```ts\nconst a = 1\n```\n\n| a | b |\n| :-- | --: |\n| 1 | 2 |\n\n---\n\n[link](https://example.org/) and <https://example.org/x>',
    removed: {},
  },
  {
    name: 'other ways to write the same are made one',
    format: 'markdown',
    input:
      'Title\n=====\n\n* one\n* two\n\n__bold__ _italic_\nsame paragraph\n\n    indented code\n\n***\n\n[ref][r], [r] and https://example.org/a, (www.example.org).\n\n[r]: https://example.org/r "title"',
    exactly:
      '# Title\n\n- one\n- two\n\n**bold** *italic*\nsame paragraph\n\n```\nindented code\n```\n\n---\n\n[ref](https://example.org/r), [r](https://example.org/r) and <https://example.org/a>, ([www.example.org](http://www.example.org)).',
    removed: {},
  },
  {
    name: 'raw HTML is read as HTML',
    format: 'markdown',
    input:
      'Press <kbd>F5</kbd> or <b>reload</b><br>now <span onclick="x()" style="color:red">red</span> <!-- note --><img src="https://x.example.net/i.png" alt="i">\n\n<details><summary>More</summary>\n\n**inside**\n\n</details>\n\n<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>',
    exactly:
      'Press `F5` or **reload**\\\nnow red [i](https://x.example.net/i.png)\n\nMore\n\n**inside**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    removed: { 'event-handler': 1, comment: 1, image: 1 },
  },
  {
    name: 'raw scripts and frames, in lines and in paragraphs',
    format: 'markdown',
    input:
      '<script>\nsteal()\n\nmore()\n</script>\n\na <script>steal()</script> b <iframe src="x"></iframe> c\n\n<style>p{}</style>',
    exactly: 'a b c',
    removed: { script: 2, frame: 1, style: 1 },
  },
  {
    name: 'a tag that is spoken of does not swallow what follows',
    format: 'markdown',
    input: 'Put a <script> tag at the end, and a <textarea> before it.',
    exactly: 'Put a tag at the end, and a before it.',
    removed: { script: 1, form: 1 },
  },
  {
    name: 'what is no element of HTML is text or code',
    format: 'markdown',
    input: 'A List<string> of Map<int, T>\n\n<Config>\n  <Door id="1"/>\n</Config>',
    exactly: 'A List\\<string> of Map\\<int, T>\n\n```xml\n<Config>\n  <Door id="1"/>\n</Config>\n```',
    removed: {},
  },
  {
    name: "the tracker's mentions",
    format: 'markdown',
    input:
      'cc @<8c8c7d32-6b1b-47f4-b2e9-30b477b5ab3d> and @<C0FFEE00-6b1b-47f4-b2e9-30b477b5ab3d>, @<Jane Doe> and @Jane Doe; #12 stays',
    exactly: 'cc @someone and @someone, @someone and @someone; #12 stays',
    removed: { mention: 4 },
  },
  {
    name: 'a box that belongs to no list item is text',
    format: 'markdown',
    input: '-\n[ ] task',
    exactly: '\\[ ] task',
    removed: {},
  },
  {
    name: 'breaks in cells',
    format: 'markdown',
    input: '| a | b |\n|---|---|\n| one<br>two | `x | y` \\| z |',
    keeps: ['one<br>two'],
    removed: {},
  },
  {
    name: 'footnotes become text',
    format: 'markdown',
    input: 'A claim[^1].\n\n[^1]: Its source.',
    exactly: 'A claim[1].\n\n[1] Its source.',
    removed: {},
  },
  {
    name: 'a mark that would become a definition does not',
    format: 'markdown',
    input: 'jane@contoso.com: yes\n\njane@contoso.com (home)',
    exactly: '\\[email removed]: yes\n\n[email removed] (home)',
    removed: { email: 2 },
  },
  {
    name: 'a list of one letter items, a heading with a hash, underscores, entities',
    format: 'markdown',
    input: '# C\\#\n\n- a\n- b\n\n## x \\#\n\nsnake_case and __init__ &copy; &amp;lt; 2 \\* 3',
    exactly: '# C\\#\n\n- a\n- b\n\n## x \\#\n\nsnake_case and **init** © \\&lt; 2 \\* 3',
  },
  {
    name: 'bare addresses with a password, connection strings',
    format: 'markdown',
    input:
      'clone https://bob:s3cr3t@example.org/r.git\n\n`postgres://app:p/w@db.example.org/x` and `Server=db;User Id=sa;Password=Wint3r;Encrypt=true`',
    exactly:
      'clone https://[secret removed]@example.org/r.git\n\n`postgres://[secret removed]@db.example.org/x` and `Server=db;User Id=sa;Password=[secret removed];Encrypt=true`',
    removed: { password: 3 },
  },
]
