import { readFileSync } from 'node:fs'
import { parseRecordFile } from '../../src/reports/rules/forecast/parse-record-file'
import { toDayNumber } from '../../src/reports/rules/forecast/record'
import { inventedTeams } from '../reports/rules/forecast/invented-teams'
import { type Days, judge, ours, readTeamA, singleWeeks, toDays } from '../reports/rules/forecast/judged-forecasts'
import { printFigure } from './figures'

/**
 * Measures how often forecasts of a recorded team were right, against what tools usually do: single weeks of the last twelve, at random.
 * `npm run bench -- forecast team.csv` does so for other records with a column "finished", and `npm run bench -- forecast invented` for
 * invented teams.
 */
export async function run(args: readonly string[]): Promise<void> {
  for (const arg of args) {
    if (arg === 'invented') for (const [name, days] of Object.entries(inventedTeams)) printLine(name, days())
    else printLine(arg, toDays(readRecord(arg)))
  }
  if (args.length === 0) printGoals(readTeamA())
}

function readRecord(path: string): number[] {
  return parseRecordFile(readFileSync(path, 'utf8'), path).record.map(({ finished }) => toDayNumber(finished))
}

function printLine(name: string, days: Days): void {
  const [found, usual] = [judge(days, ours), judge(days, singleWeeks)]
  if (found.forecasts === 0) {
    console.log(`  ${name}: too short, it needs more than half a year and ten items after it`)
    return
  }
  const shares = (of: readonly number[]) => of.map((share) => share.toFixed(1)).join(', ')
  const loss = (found.loss / usual.loss).toFixed(2)
  console.log(
    `  ${name}: ${found.forecasts} forecasts, finished by the dates of 50, 70, 85, 95%: ${shares(found.right)} (single weeks: ${shares(usual.right)}); loss ${loss}; with unfinished work: ${shares(found.due)} (${shares(usual.due)})`,
  )
}

function printGoals(days: Days): void {
  const [found, usual] = [judge(days, ours), judge(days, singleWeeks)]
  const [p50, p70, p85, p95] = found.right
  console.log(`  ${found.forecasts} forecasts of the next 10, 20, 40 and 80 items of a recorded team`)
  const percent = { unit: '%', decimals: 1 }
  printFigure({ name: 'finished by the date of 50% (goal: 45 to 65)', value: p50, ...percent, atLeast: 45 })
  printFigure({ name: 'finished by the date of 70%', value: p70, ...percent })
  printFigure({ name: 'finished by the date of 85% (goal: 80 to 90)', value: p85, ...percent, atLeast: 80 })
  printFigure({ name: 'finished by the date of 95% (goal: 91 to 99)', value: p95, ...percent, atLeast: 91 })
  printFigure({ name: '  single weeks: finished by the date of 95%', value: usual.right[3], ...percent })
  const [, , due85, due95] = found.due
  printFigure({ name: 'with unfinished work: by the date of 85%', value: due85, ...percent })
  printFigure({ name: 'with unfinished work: by the date of 95%', value: due95, ...percent })
  printFigure({ name: 'mean pinball loss ÷ that of single weeks', value: found.loss / usual.loss, atMost: 0.9 })
}
