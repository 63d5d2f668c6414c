/** Line and paragraph separators of every system and of Unicode. */
const LINE_ENDS = /\r\n|[\r\u0085\u2028\u2029]/g

/** Everything else that is blank and as wide as a space or tab. */
const SPACES = /[\t\v\f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g

/** What a reader cannot see, and what makes him see it otherwise. */
const INVISIBLE = new RegExp(
  `[${[
    '\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f', // controls
    '\\u00ad\\u034f\\u180e\\u200b\\u2060-\\u2064\\ufeff', // soft hyphen, joiners and spaces without a width
    '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u206f', // marks, embeddings and overrides of direction
    '\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u3164\\uffa0', // letters without a form
    '\\ufff0-\\ufffb\\u{e0000}-\\u{e0fff}', // annotations, tags
  ].join('')}]`,
  'gu',
)

/** They shape letters of many scripts and join emoji; next to ASCII they only hide something. */
const JOINERS = /[\u200c\u200d]+/g

const LONE_SURROGATES = /\p{Surrogate}/gu

const PLAIN = /^[\x20-\x7e\n]*$/

export interface CleanText {
  text: string
  /** How many invisible characters were taken out. */
  invisible: number
}

/** Leaves line feeds as the only line end, spaces as the only blank, and nothing that a reader cannot see. Tabs of code stay. */
export function cleanCharacters(value: string, tabs: 'space' | 'keep' = 'space'): CleanText {
  if (PLAIN.test(value)) return { text: value, invisible: 0 }
  let invisible = 0
  const gone = () => {
    invisible++
    return ''
  }
  const text = value
    .replace(LINE_ENDS, '\n')
    .replace(SPACES, (blank) => (blank === '\t' && tabs === 'keep' ? blank : ' '))
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(INVISIBLE, gone)
    .replace(JOINERS, (run, at: number, whole: string) =>
      isShaped(whole[at - 1]) && isShaped(whole[at + run.length]) ? run.slice(0, 1) : gone(),
    )
  return { text, invisible }
}

function isShaped(neighbour: string | undefined): boolean {
  return neighbour !== undefined && neighbour > '\x7f'
}

/** One line, single spaces, no space at either end. */
export function foldWhitespace(value: string): string {
  return value.replace(/\s+/g, ' ').trim()
}

/** Without blank lines before it and blanks behind it. */
export function trimCode(value: string): string {
  return value.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}
