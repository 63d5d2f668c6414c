import type { DebrisKind } from '../../model'

/** Lists elements that are removed with their content, by the kind of removal. */
const droppedByKind = {
  script: 'script',
  style: 'style link',
  metadata: 'title meta base basefont bgsound template annotation annotation-xml',
  frame: 'iframe frame frameset object param embed applet noembed noframes',
  drawing: 'svg canvas map area',
  form: 'input button select option optgroup datalist textarea keygen meter progress',
  image: 'source track',
  'office-markup': 'xml',
} as const satisfies Partial<Record<DebrisKind, string>>

export const dropped: ReadonlyMap<string, DebrisKind> = new Map(
  Object.entries(droppedByKind).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind as DebrisKind])),
)

/** Lists blocks that only start a new line, and unsupported lists, which become their items. */
export const plainBlocks = words(
  'p div section article aside main header footer nav address center details summary figure figcaption fieldset legend form hgroup search dialog multicol body html head menu dir',
)

export const blocks = words('h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote table tr td th caption hr')

/** Lists elements that become code blocks. */
export const codeBlocks = words('pre listing xmp plaintext')

/** Maps the supported inline elements to one canonical name each. */
export const inlines: ReadonlyMap<string, string> = new Map(
  Object.entries({
    strong: 'strong',
    b: 'strong',
    em: 'em',
    i: 'em',
    cite: 'em',
    dfn: 'em',
    del: 'del',
    s: 'del',
    strike: 'del',
    code: 'code',
    kbd: 'code',
    samp: 'code',
    tt: 'code',
    var: 'code',
    a: 'a',
    q: 'q',
    br: 'br',
    img: 'img',
    image: 'img',
  }),
)

/** Lists elements that are replaced by their content. */
const transparent = words(
  'span font u ins mark small big abbr acronym bdi bdo data time label output ruby rb rbc rt rtc rp sub sup nobr blink marquee wbr slot noscript picture audio video tbody thead tfoot colgroup col math mi mn mo ms mtext mrow mfrac msup msub semantics at',
)

const defined: ReadonlySet<string> = new Set(
  [dropped, plainBlocks, blocks, codeBlocks, inlines, transparent].flatMap((names) => [...names.keys()]),
)

/** Returns whether HTML defines the element. `<string>` in Markdown is text, not a tag. */
export function isHtmlElement(name: string): boolean {
  return defined.has(name)
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}
