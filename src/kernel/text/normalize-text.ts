/** Letters that Unicode does not decompose, with their usual ASCII spelling. */
const SPELLED_OUT: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}
const TO_SPELL_OUT = new RegExp(`[${Object.keys(SPELLED_OUT).join('')}]`, 'g')

/** Accents of Latin, Greek and Cyrillic, and points of Hebrew and Arabic. Does not include marks that form a different letter (kana, Indic). */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

/** The form in which texts are compared: no case, no accents, no compatibility forms, straight apostrophes. */
export function normalizeText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(INVISIBLE, '')
    .toLowerCase()
    .replace(TO_SPELL_OUT, (letter) => SPELLED_OUT[letter]!)
    .replace(/[‘’ʼ]/g, "'")
    .normalize('NFC')
}
