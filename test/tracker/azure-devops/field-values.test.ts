import { describe, expect, it } from 'vitest'
import {
  parseInstant,
  parseLongText,
  parseNumber,
  parsePerson,
  parseTags,
} from '../../../src/tracker/azure-devops/field-values'

describe('tags', () => {
  it.each([
    ['a; b', ['a', 'b']],
    ['a;b ; ;b', ['a', 'b']],
    ['', []],
    [undefined, []],
  ])('%j', (value, tags) => {
    expect(parseTags(value)).toEqual(tags)
  })
})

describe('a person', () => {
  it.each([
    [
      { displayName: 'Ana Ruiz', uniqueName: 'ana@shop.example', id: 'x' },
      { displayName: 'Ana Ruiz', uniqueName: 'ana@shop.example' },
    ],
    [{ displayName: 'Ana Ruiz' }, { displayName: 'Ana Ruiz', uniqueName: null }],
    [{ uniqueName: 'SHOP\\ana' }, { displayName: 'SHOP\\ana', uniqueName: 'SHOP\\ana' }],
    ['Ana Ruiz <ana@shop.example>', { displayName: 'Ana Ruiz', uniqueName: 'ana@shop.example' }],
    ['Ana Ruiz<SHOP\\ana>', { displayName: 'Ana Ruiz', uniqueName: 'SHOP\\ana' }],
    ['Ana Ruiz', { displayName: 'Ana Ruiz', uniqueName: null }],
    ['', null],
    [undefined, null],
    [null, null],
    [{}, null],
  ])('%j', (value, person) => {
    expect(parsePerson(value)).toEqual(person)
  })
})

describe('an instant', () => {
  it.each([
    ['2025-11-03T08:15:30.05Z', '2025-11-03T08:15:30.050Z'],
    ['2025-11-03T08:15:30Z', '2025-11-03T08:15:30.000Z'],
    ['2025-11-03T08:15:30.1234567Z', '2025-11-03T08:15:30.123Z'],
    ['2025-11-03T10:15:30+02:00', '2025-11-03T08:15:30.000Z'],
    ['2025-11-03T08:15:30', '2025-11-03T08:15:30.000Z'],
    ['2025-11-03', '2025-11-03T00:00:00.000Z'],
    ['yesterday', null],
    ['7', null],
    ['', null],
    [undefined, null],
  ])('%j is %j', (value, instant) => {
    expect(parseInstant(value)).toBe(instant)
  })
})

describe('a number', () => {
  it.each([
    [3, 3],
    [0, 0],
    ['2.5', 2.5],
    ['', null],
    ['many', null],
    [Number.NaN, null],
    [undefined, null],
    [true, null],
  ])('%j is %j', (value, number) => {
    expect(parseNumber(value)).toBe(number)
  })
})

describe('a long text', () => {
  const fields = { 'System.Description': '# Title' }

  it.each([
    [{}, 'html'],
    [{ 'System.Description': 'html' }, 'html'],
    [{ 'System.Description': 'Markdown' }, 'markdown'],
    [{ 'System.Description': 'markdown' }, 'markdown'],
    [{ 'system.description': 'MARKDOWN' }, 'markdown'],
    [{ 'Other.Field': 'markdown' }, 'html'],
    [{ 'System.Description': null }, 'html'],
  ])('with the formats %j is %s', (formats, format) => {
    expect(parseLongText(fields, formats, 'System.Description')).toEqual({
      format,
      text: '# Title',
    })
  })

  it('is null if it is blank', () => {
    expect(parseLongText({ 'System.Description': ' \n' }, {}, 'System.Description')).toBeNull()
    expect(parseLongText({}, {}, 'System.Description')).toBeNull()
  })
})
