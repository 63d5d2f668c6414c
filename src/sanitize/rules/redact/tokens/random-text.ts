/** Returns the entropy in bits per character: at most 4 for hexadecimal digits, nearly 6 for letters and digits. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let entropy = 0
  for (const count of counts.values()) entropy -= (count / text.length) * Math.log2(count / text.length)
  return entropy
}

/** Returns whether a machine generated the text, rather than a person from words. */
export function isRandomText(text: string): boolean {
  return /\d\D+\d/.test(text) && /[A-Za-z]/.test(text) && entropyOf(text) >= 3 && !isWordLike(text)
}

/**
 * Returns whether the text looks like words or identifiers, which alternate between letters and digits less often than random text.
 */
export function isWordLike(text: string): boolean {
  const isMixedCase = /[a-z]/.test(text) && /[A-Z]/.test(text)
  return changesOf(text) < (isMixedCase ? 0.25 : 0.18) * (text.length - 1)
}

/** Counts how often the character class changes. A capital at the start of a word does not count. */
function changesOf(text: string): number {
  let changes = 0
  for (let at = 1; at < text.length; at++) {
    const before = classOf(text.charCodeAt(at - 1))
    const own = classOf(text.charCodeAt(at))
    if (own !== before && !(before === 'upper' && own === 'lower')) changes++
  }
  return changes
}

function classOf(code: number): 'digit' | 'upper' | 'lower' | 'other' {
  if (code >= 48 && code <= 57) return 'digit'
  if (code >= 65 && code <= 90) return 'upper'
  return code >= 97 && code <= 122 ? 'lower' : 'other'
}
