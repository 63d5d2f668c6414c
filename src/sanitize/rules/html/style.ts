import type { Element } from './nodes'

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
}

const MEANS_SOMETHING = /display|visibility|mso-|font|decoration|margin/i

export function readAppearance(element: Element): Appearance {
  const style = element.properties['style']
  const hidden = element.properties['hidden'] !== undefined
  if (typeof style !== 'string' || !MEANS_SOMETHING.test(style)) return hidden ? { ...plain, hidden } : plain
  const found: Appearance = { ...plain, hidden, isOffice: /(?:^|[;\s])mso-/i.test(style) }
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon > 0)
      read(
        declaration.slice(0, colon).trim().toLowerCase(),
        declaration
          .slice(colon + 1)
          .trim()
          .toLowerCase(),
        found,
      )
  }
  return found
}

function read(property: string, value: string, found: Appearance): void {
  switch (property) {
    case 'display':
      if (value.startsWith('none')) found.hidden = true
      break
    case 'visibility':
      if (value.startsWith('hidden')) found.hidden = true
      break
    case 'mso-hide':
      if (value === 'all') found.hidden = true
      break
    case 'font-size':
      if (/^0(?:[a-z]|$)/.test(value)) found.hidden = true
      break
    case 'font-weight':
      found.bold = /^bold|^[6-9]00/.test(value)
      break
    case 'font-style':
      found.italic = /^(?:italic|oblique)/.test(value)
      break
    case 'text-decoration':
    case 'text-decoration-line':
      if (value.includes('line-through')) found.struck = true
      break
    case 'mso-list':
      if (value === 'ignore') found.isOfficeMarker = true
      else if (value !== 'none') found.officeListLevel = Number(/level(\d)/.exec(value)?.[1] ?? 1)
      break
    case 'margin':
      found.marginLeft = inPoints(value.split(/\s+/)[3] ?? '')
      break
    case 'margin-left':
      found.marginLeft = inPoints(value)
      break
  }
}

function inPoints(length: string): number {
  const [, number = '0', unit = ''] = /^(-?[\d.]{1,10})(pt|in|px|cm|mm|em)?/.exec(length) ?? []
  return Number(number) * ({ pt: 1, in: 72, px: 0.75, cm: 28.35, mm: 2.835, em: 12 }[unit] ?? 0)
}
