import stringWidth from 'string-width'
import { expect, it } from 'vitest'
import { textWidth } from '../../commands/terminal/wrap-text'

it('gives each character the columns that string-width gives it', () => {
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code))
  expect(characters.filter((character) => textWidth(character) !== stringWidth(character))).toEqual([])
})

it('counts a base character with its marks, and a wide character, as a terminal shows them', () => {
  expect(['naïve — “x”…', 'e\u0301', '©\ufe0f', '東京', '👩‍👩‍👧'].map(textWidth)).toEqual([12, 1, 2, 4, 2])
})
