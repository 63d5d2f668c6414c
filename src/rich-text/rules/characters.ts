/** Matches line and paragraph separators of all systems and of Unicode. */
const LINE_ENDS = /\r\n|[\r\u0085\u2028\u2029]/g

/** Matches other whitespace that is as wide as a space or tab. */
const SPACES = /[\t\v\f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g

/** Matches characters that are invisible or change how the text around them is displayed. */
const INVISIBLE = new RegExp(
  `[${[
    '\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f', // control characters
    '\\u00ad\\u034f\\u180e\\u200b\\u2060-\\u2064\\ufeff', // soft hyphen, joiners, and zero-width spaces
    '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u206f', // direction marks, embeddings and overrides
    '\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180d\\u3164\\uffa0', // letters without a visible form
    '\\ufff0-\\ufffb\\u{e0000}-\\u{e0fff}', // annotations, tags
  ].join('')}]`,
  'gu',
)

/** Matches joiners, which shape letters of many scripts and combine emoji. Next to ASCII they can only hide something. */
const JOINERS = /[\u200c\u200d]+/g

const LONE_SURROGATES = /\p{Surrogate}/gu

const PLAIN = /^[\x20-\x7e\n]*$/

export interface CleanText {
  text: string
  /** The number of invisible characters that were removed. */
  invisible: number
}

/**
 * Replaces all line ends by line feeds and other whitespace by spaces, and removes invisible characters. Tabs of code remain if
 * `tabs` is `keep`.
 */
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

/** Returns the text on one line with single spaces and none at either end. */
export function foldWhitespace(value: string): string {
  return value.replace(/\s+/g, ' ').trim()
}

/** Removes blank lines at the start and whitespace at the end. */
export function trimCode(value: string): string {
  return value.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}
