import { attribute, type Element, findAttribute } from './parse'

/** The style declarations of an element that affect the meaning of its text. */
export interface Appearance {
  hidden: boolean
  bold: boolean | null
  italic: boolean | null
  struck: boolean
  /** The level of a list item that an office program wrote as a paragraph. */
  officeListLevel: number | null
  /** The element is a bullet or number that an office program wrote as text. */
  isOfficeMarker: boolean
  /** The element has declarations that only office programs read. */
  isOffice: boolean
  /** The margin in points. */
  marginLeft: number
  /** Whether line ends and spaces of the source are shown: always, or with a wrap of long lines, as many pages do with any text. */
  whiteSpace: 'pre' | 'pre-wrap' | null
  /** Whether all characters are of one width, as in code. */
  isMonospace: boolean
}

const plain: Appearance = {
  hidden: false,
  bold: null,
  italic: null,
  struck: false,
  officeListLevel: null,
  isOfficeMarker: false,
  isOffice: false,
  marginLeft: 0,
  whiteSpace: null,
  isMonospace: false,
}

const MEANS_SOMETHING = /display|visibility|mso-|font|decoration|margin|white-space/i

const MONOSPACE =
  /\b(?:monospace|consolas|courier|menlo|monaco|lucida console|(?:cascadia|fira|source) (?:code|mono)|(?:jetbrains|sf|roboto|dejavu sans|ubuntu) mono)\b/

export function readAppearance(element: Element): Appearance {
  const style = attribute(element, 'style')
  const hidden = findAttribute(element, 'hidden') !== undefined
  if (!MEANS_SOMETHING.test(style)) return hidden ? { ...plain, hidden } : plain
  const found: Appearance = { ...plain, hidden, isOffice: /(?:^|[;\s])mso-/i.test(style) }
  for (const declaration of style.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, Math.max(colon, 0)).trim()
    if (Object.hasOwn(readers, property)) Object.assign(found, readers[property]?.(declaration.slice(colon + 1).trim()))
  }
  return found
}

/** Returns what a declaration adds to the appearance, by the name of its property. */
const readers: Readonly<Record<string, (value: string) => Partial<Appearance>>> = {
  display: (value) => (value.startsWith('none') ? { hidden: true } : {}),
  visibility: (value) => (value.startsWith('hidden') ? { hidden: true } : {}),
  'mso-hide': (value) => (value === 'all' ? { hidden: true } : {}),
  'font-size': (value) => (/^0(?:[a-z]|$)/.test(value) ? { hidden: true } : {}),
  'font-weight': (value) => ({ bold: /^bold|^[6-9]00/.test(value) }),
  'font-family': (value) => ({ isMonospace: MONOSPACE.test(value) }),
  'white-space': (value) => ({ whiteSpace: value === 'pre' || value === 'pre-wrap' ? value : null }),
  'font-style': (value) => ({ italic: /^(?:italic|oblique)/.test(value) }),
  'text-decoration': readDecoration,
  'text-decoration-line': readDecoration,
  'mso-list': (value) => {
    if (value === 'ignore') return { isOfficeMarker: true }
    return value === 'none' ? {} : { officeListLevel: Number(/level(\d)/.exec(value)?.[1] ?? 1) }
  },
  margin: (value) => ({ marginLeft: inPoints(value.split(/\s+/)[3] ?? '') }),
  'margin-left': (value) => ({ marginLeft: inPoints(value) }),
}

function readDecoration(value: string): Partial<Appearance> {
  return value.includes('line-through') ? { struck: true } : {}
}

function inPoints(length: string): number {
  const [, number = '0', unit = ''] = /^(-?[\d.]{1,10})(pt|in|px|cm|mm|em)?/.exec(length) ?? []
  return Number(number) * ({ pt: 1, in: 72, px: 0.75, cm: 28.35, mm: 2.835, em: 12 }[unit] ?? 0)
}
