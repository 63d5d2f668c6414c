const VERSION = /^\d+\.\d/
const V_VERSION = /^v(?=\d+\.\d)/
const HEX = /^(?=[a-f]*\d)[\da-f]{4,16}$/
const PREFIXED_HEX = /^0x(?=[\da-f]{4,16}$)/

/** How else a number is written: `1.2.3` and `v1.2.3`, `80070005` and `0x80070005`. */
export function findOtherSpellings(form: string): string[] {
  if (VERSION.test(form)) return [`v${form}`]
  if (V_VERSION.test(form) || PREFIXED_HEX.test(form)) return [form.replace(V_VERSION, '').replace(PREFIXED_HEX, '')]
  return HEX.test(form) ? [`0x${form}`] : []
}

/** Whether the word is a version or an address, of which a beginning is often written: `192.168` and `192.168.1.10`. */
export function isDottedNumber(form: string): boolean {
  return VERSION.test(form) || V_VERSION.test(form)
}

/** Whether two words that are written together may also be written apart, as `oauth` and `2`. */
export function meetAtDigit(first: string, second: string): boolean {
  return /\d$/.test(first) !== /^\d/.test(second)
}

/** Splits `oauth2` into `oauth` and `2`; null if letters and digits do not meet exactly once. */
export function splitAtDigit(form: string): [string, string] | null {
  const [, first, second] = /^(\p{L}+)(\d+)$/u.exec(form) ?? /^(\d+)(\p{L}+)$/u.exec(form) ?? []
  return first === undefined || second === undefined ? null : [first, second]
}
