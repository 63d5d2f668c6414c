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

  it('has days in UTC', () => {
    const days = ['2026-02-04T00:30:00+01:00', '2026-02-04T23:30:00.000-0200', '2026-02-04T23:30:00Z', '2026-02-04']
    const { record } = parseRecordFile(['finished', ...days].join('\n'), 'team.csv')
    expect(record.map(({ finished }) => finished)).toEqual(['2026-02-03', '2026-02-05', '2026-02-04', '2026-02-04'])
  })

  it('is refused for points that are no number, too many or negative', () => {
    for (const points of ['many', '1e9', '-1', 'NaN'])
      expect(() => parseRecordFile(`finished,points\n2026-02-03,${points}\n`, 'team.csv')).toThrow(
        `line 2: "${points}" is not a number of points`,
      )
    expect(parseRecordFile('finished,points\n2026-02-03,0\n2026-02-03, 0.5\n', 'team.csv').record).toEqual([
      { finished: '2026-02-03', points: 0 },
      { finished: '2026-02-03', points: 0.5 },
    ])
  })

  it('is refused without the column, and for what is no date', () => {
    expect(() => parseRecordFile('finished\n', 'team.csv')).toThrow('team.csv has no finished items.')
    expect(() => parseRecordFile('done\n2026-02-03\n', 'team.csv')).toThrow('team.csv has no column "finished".')
    expect(() => parseRecordFile('finished\n2026-02-03\n3.2.2026\n', 'team.csv')).toThrow(
      'line 3: "3.2.2026" is not a date',
    )
    for (const day of ['2026-13-40', '2026-02-30', '2026-2-3', '2026-02-03T25:00:00+01:00'])
      expect(() => parseRecordFile(`finished\n2026-02-03\n\n${day}\n`, 'team.csv')).toThrow(
        `line 4: "${day}" is not a date`,
      )
  })
})
