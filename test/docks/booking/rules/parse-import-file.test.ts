import { describe, expect, it } from 'vitest'
import { parseImportFile } from '../../../../src/docks/booking/rules/parse-import-file'

const fieldsOf = (text: string) =>
  parseImportFile(text).map((row) => ('fields' in row ? row.fields : `line ${row.line} ${row.rowError}`))

/** The other names of the reference, with a value each. */
const NAMES: Record<string, [field: string, value: unknown]> = {
  direction: ['type', 'pickup'],
  carrier: ['carrierName', 'Blue Freight'],
  ref: ['referenceNumber', 'PO-1'],
  date: ['targetDate', '2026-11-17'],
  start: ['startTime', '06:00'],
  end: ['endTime', '07:00'],
  door: ['doorName', 'Door 1'],
  pallets: ['palletCount', 12],
  duration: ['durationMinutes', 60],
  load: ['loadDescription', 'Paper'],
  equipment: ['equipmentId', 'TR-1'],
  trailer: ['trailerId', 'TR-1'],
}
const renamed = Object.fromEntries(Object.values(NAMES))

describe('the rows of a file', () => {
  it('have the same fields under the other names, in CSV, JSON and NDJSON', () => {
    const entry = Object.fromEntries(Object.entries(NAMES).map(([name, [, value]]) => [name, value]))
    const csv = `${Object.keys(entry).join()}\n${Object.values(entry).join()}\n`
    for (const text of [csv, JSON.stringify([entry]), JSON.stringify(entry)]) expect(fieldsOf(text)).toEqual([renamed])
  })

  it('may write names as a person would', () => {
    const entry = { 'Carrier Name': 'Blue Freight', Reference: 'PO-1', target_date: '2026-11-17' }
    expect(fieldsOf(JSON.stringify([entry]))).toEqual([
      { carrierName: 'Blue Freight', referenceNumber: 'PO-1', targetDate: '2026-11-17' },
    ])
  })

  it('are refused one by one where two names have the same field, and keep a name that no field has for its error', () => {
    const rows = [{ carrier: 'Blue', carrierName: 'Red' }, { carrier: 'Blue' }, { colour: 'red', type2: 'pickup' }]
    expect(fieldsOf(JSON.stringify(rows))).toEqual([
      'line 1 has two values of the field carrierName',
      { carrierName: 'Blue' },
      { colour: 'red', type2: 'pickup' },
    ])
  })

  it('may write choices in any letter case', () => {
    const types = ['Delivery', 'PICKUP', ' pickup ']
    expect(fieldsOf(`type,status\n${types.map((type) => `${type},Scheduled`).join('\n')}\n`)).toEqual(
      ['delivery', 'pickup', 'pickup'].map((type) => ({ type, status: 'scheduled' })),
    )
    expect(fieldsOf(JSON.stringify([{ type: 'Delivery', status: 'CANCELLED' }]))).toEqual([
      { type: 'delivery', status: 'cancelled' },
    ])
    expect(fieldsOf(JSON.stringify([{ type: 7 }]))).toEqual([{ type: 7 }])
  })
})

describe('the empty columns and rows that a spreadsheet writes', () => {
  it.each([
    ['after the last column', 'type,ref,,\ndelivery,PO-1,,\n'],
    ['between columns', 'type,,ref\ndelivery,,PO-1\n'],
    ['in the rows alone', 'type,ref\ndelivery,PO-1,, \n'],
    ['below the last row', 'type,ref\ndelivery,PO-1\n,\n , \n'],
    ['with semicolons', 'type;ref;;\r\ndelivery;PO-1;;\r\n;;;\r\n'],
  ])('are no fields and no bookings: %s', (_, text) => {
    expect(fieldsOf(text)).toEqual([{ type: 'delivery', referenceNumber: 'PO-1' }])
  })

  it('are refused row by row where they are not empty', () => {
    expect(fieldsOf('type,ref,\ndelivery,PO-1,x\ndelivery,PO-2,\ndelivery,PO-3,,y\n')).toEqual([
      'line 2 has "x" in a column without a title',
      { type: 'delivery', referenceNumber: 'PO-2' },
      'line 4 has "y" in a column without a title',
    ])
  })
})
