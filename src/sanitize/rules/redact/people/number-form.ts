import { type CountryCode, isValidPhoneNumber } from 'libphonenumber-js/min'

/** Describes what the format of a number reveals about it. */
export interface NumberForm {
  digits: number
  /** The number has `+` or `00`, a country code, and 9 to 15 digits, in a format that is not used for amounts of money. */
  international: boolean
  /**
   * The number has three, three and four digits, as the North American plan allows: with brackets, joined by dashes or dots, or
   * separated by spaces.
   */
  northAmerican: 'brackets' | 'joined' | 'spaced' | null
  /** The number has an area code with a leading zero, separate from the rest: `0170 1234567`, `(030) 123456`, `020 7946 0958`. */
  national: boolean
  /**
   * The number is grouped as a country groups its phone numbers, and is valid there: `06 12 34 56 78`, `(11) 91234-5678`, `8 (495)
   * 123-45-67`.
   */
  ofCountry: boolean
  isDate: boolean
}

export function describeNumber(written: string): NumberForm {
  const groups = written.match(/\d+/g) ?? []
  const digits = groups.reduce((sum, group) => sum + group.length, 0)
  return {
    digits,
    international: isInternational(written, groups, digits),
    northAmerican: findNorthAmericanForm(written, groups),
    national: isNational(written, groups, digits),
    ofCountry: isOfCountry(written, groups),
    isDate: /^(?:19|20)\d\d[-./]\d\d?[-./]\d\d?|^\d\d?[-./]\d\d?[-./](?:19|20)\d\d/.test(written),
  }
}

function isInternational(written: string, groups: string[], digits: number): boolean {
  const [first = '', ...rest] = groups
  if (/^\(?\+/.test(written)) {
    if (digits < 9 || digits > 15 || first.startsWith('0')) return false
    if (first === '1') return digits === 11 && !written.includes('/')
    // A single digit is an area code (+33 1 …) or a trunk prefix (+49 (0) …). Several single digits do not occur in phone numbers.
    return rest.slice(1).every((group) => group.length > 1) && !isThousands(written)
  }
  // Without a plus sign the number must have groups, because a GTIN or SSCC may also begin with zeros and is written without
  // spaces.
  return (
    /^00[1-9]\d{0,2}$/.test(first) && rest.length > 0 && digits >= 11 && digits <= 17 && rest.every((g) => g.length > 1)
  )
}

/** Returns whether the number uses dots as thousands separators: `+1.234.567`. */
function isThousands(written: string): boolean {
  return /^\+ ?\d{1,3}(?:\.\d{3})+$/.test(written)
}

function findNorthAmericanForm(written: string, groups: string[]): NumberForm['northAmerican'] {
  const own = groups.length === 4 && groups[0] === '1' ? groups.slice(1) : groups
  const [area = '', exchange = '', line = '', ...more] = own
  // Exchanges that the plan does not allow are accepted, because people write them in examples and by mistake.
  const fits = /^[2-9]\d\d$/.test(area) && /^\d{3}$/.test(exchange) && /^\d{4}$/.test(line) && more.length === 0
  if (!fits || written.includes('/')) return null
  // Brackets must surround the area code. `443-454 (1950)` is a range of pages and a year.
  if (written.includes('(')) return /^(?:1[ .-]?)?\(/.test(written) ? 'brackets' : null
  return / /.test(written) ? 'spaced' : 'joined'
}

function isNational(written: string, groups: string[], digits: number): boolean {
  const [area = '', ...rest] = groups
  if (!/^0[1-9]\d{1,4}$/.test(area) || rest.length < 1 || rest.length > 3 || digits < 9 || digits > 12) return false
  if (written.includes('.') || !rest.every((group) => group.length >= 3)) return false
  // Groups such as `0600 1400 2200` are times of day.
  return !groups.every((group) => /^(?:[01]\d|2[0-4])[0-5]\d$/.test(group))
}

/** Lists how countries group their numbers, with a `0` for each digit. Formats that other numbers often have are left out. */
const COUNTRIES_BY_FORM: Readonly<Record<string, readonly CountryCode[]>> = {
  '00 00 00 00 00': ['FR'],
  '00.00.00.00.00': ['FR'],
  '00-00-00-00-00': ['FR'],
  '00 000 00 00': ['BE'],
  '000 00 00 00': ['BE'],
  '0000 00 00 00': ['BE'],
  '00 000 000 00': ['SK'],
  '000 000 00 00': ['CH', 'SK'],
  '000.000.00.00': ['CH'],
  '0000 000 00 00': ['TR'],
  '(0000) 000 00 00': ['TR'],
  '00 000 0000': ['AE', 'BG', 'IT', 'NZ', 'TH', 'TW'],
  '00 0000 0000': ['AU', 'IT', 'TW'],
  '(00) 0000 0000': ['AU', 'IE', 'PH'],
  '00-000 00 00': ['SE'],
  '00-000 000 00': ['SE'],
  '000-00 00 00': ['SE'],
  '000-000 00 00': ['SE'],
  '0000-000 00': ['SE'],
  '00-000-0000': ['IL', 'KR'],
  '00-0000-0000': ['JP', 'KR'],
  '(00) 0000-0000': ['BR'],
  '(00) 00000-0000': ['BR'],
  '0 (000) 000-00-00': ['RU'],
  '0 000 000-00-00': ['RU'],
  '0-000-000-00-00': ['RU'],
  '000 0000 0000': ['CN'],
  '000-0000-0000': ['CN'],
}

function isOfCountry(written: string, groups: string[]): boolean {
  const countries = COUNTRIES_BY_FORM[written.replaceAll('\u2011', '-').replace(/\d/g, '0')]
  return countries?.some((country) => isValidPhoneNumber(written, country)) === true && !isSequence(groups)
}

/** Returns whether the groups count up: `01 02 03 04 05` are weeks or doors. */
function isSequence(groups: string[]): boolean {
  const step = Number(groups[1]) - Number(groups[0])
  return groups.every((group, at) => at === 0 || Number(group) - Number(groups[at - 1]) === step)
}
