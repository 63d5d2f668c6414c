/** Digits of every script as `0` to `9`, and percent signs as `%`; characters that are not seen taken out. */
export function withPlainDigits(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\uff05\u066a\ufe6a]/g, '%')
    .replace(/[^\P{Nd}0-9]/gu, plainDigit)
}

const DIGIT = /^\p{Nd}$/u

/** The digits of a script stand in a row, its zero first. */
function plainDigit(digit: string): string {
  const folded = digit.normalize('NFKC')
  if (/^[0-9]$/.test(folded)) return folded
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}
