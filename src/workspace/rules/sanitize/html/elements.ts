import type { RemovalKind } from '../removal'

/** Elements that go with all that is in them. */
export const dropped: ReadonlyMap<string, RemovalKind> = new Map(
  Object.entries({
    script: 'script',
    style: 'style',
    link: 'style',
    title: 'metadata',
    meta: 'metadata',
    base: 'metadata',
    basefont: 'metadata',
    bgsound: 'metadata',
    template: 'metadata',
    'annotation-xml': 'metadata',
    annotation: 'metadata',
    iframe: 'frame',
    frame: 'frame',
    frameset: 'frame',
    object: 'frame',
    embed: 'frame',
    applet: 'frame',
    noembed: 'frame',
    noframes: 'frame',
    svg: 'drawing',
    canvas: 'drawing',
    map: 'drawing',
    area: 'drawing',
    input: 'form',
    button: 'form',
    select: 'form',
    option: 'form',
    optgroup: 'form',
    datalist: 'form',
    textarea: 'form',
    keygen: 'form',
    meter: 'form',
    progress: 'form',
    xml: 'office-markup',
    source: 'image',
    track: 'image',
    param: 'frame',
  } satisfies Record<string, RemovalKind>),
)

/** Blocks that mean nothing but a new line. */
export const plainBlocks = words(
  'div section article aside main header footer nav address center details figure figcaption fieldset form hgroup search dialog multicol body html head menu legend summary p',
)

/** Blocks that the result knows; `dir` and `menu` are lists, `listing`, `xmp` and `plaintext` are code. */
export const blocks = words('h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre table tr td th caption hr')

/** Inline elements that the result knows, by the one name that is used for them. */
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

/** Elements of which only the content stays. */
const transparent = words(
  'span font u ins mark small big abbr acronym bdi bdo data time label output ruby rb rbc rt rtc rp sub sup nobr blink marquee wbr slot noscript picture audio video tbody thead tfoot colgroup col math mi mn mo ms mtext mrow mfrac msup msub semantics',
)

/** Whether HTML has such an element: `<string>` in Markdown is not a tag but what somebody wrote. */
export function isHtmlElement(name: string): boolean {
  return (
    dropped.has(name) ||
    plainBlocks.has(name) ||
    blocks.has(name) ||
    inlines.has(name) ||
    transparent.has(name) ||
    name === 'listing' ||
    name === 'xmp' ||
    name === 'plaintext' ||
    name === 'dir' ||
    name === 'at'
  )
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}
