import { describe, expect, it } from 'vitest'
import { parseRecordFile } from '../../../../src/reports/rules/forecast/parse-record-file'

describe('a file of finished items', () => {
  it('has a column of dates, and perhaps points; rows without a date are not finished', () => {
    const text =
      '\ufeffcreated;Finished;points\r\n2026-01-01;2026-02-03;3\r\n2026-01-01;;5\r\n2026-01-02;2026-02-04T10:00:00Z;\r\n'
    expect(parseRecordFile(text, 'team.csv').record).toEqual([
      { finished: '2026-02-03', points: 3 },
      { finished: '2026-02-04', points: null },
    ])
  })

  it('is refused without the column, and for what is no date', () => {
    expect(() => parseRecordFile('done\n2026-02-03\n', 'team.csv')).toThrow('team.csv has no column "finished".')
    expect(() => parseRecordFile('finished\n2026-02-03\n3.2.2026\n', 'team.csv')).toThrow(
      'line 3: "3.2.2026" is not a date',
    )
    expect(() => parseRecordFile('finished\n2026-13-40\n', 'team.csv')).toThrow('is not a date')
  })
})
