import { judge, ours, readTeamA, singleWeeks } from '../reports/rules/forecast/judged-forecasts'
import { printFigure } from './figures'

/** Measures how often forecasts of a recorded team were right, against what tools usually do: single weeks of the last twelve, at random. */
export async function run(): Promise<void> {
  const days = readTeamA()
  const [found, usual] = [judge(days, ours), judge(days, singleWeeks)]
  const [p50, p70, p85, p95] = found.right
  console.log(`  ${found.forecasts} forecasts of the next 10, 20, 40 and 80 items of a recorded team`)
  const percent = { unit: '%', decimals: 1 }
  printFigure({ name: 'finished by the date of 50% (goal: 45 to 65)', value: p50, ...percent, atLeast: 45 })
  printFigure({ name: 'finished by the date of 70%', value: p70, ...percent })
  printFigure({ name: 'finished by the date of 85% (goal: 80 to 90)', value: p85, ...percent, atLeast: 80 })
  printFigure({ name: 'finished by the date of 95% (goal: 91 to 99)', value: p95, ...percent, atLeast: 91 })
  printFigure({ name: '  single weeks: finished by the date of 95%', value: usual.right[3], ...percent })
  printFigure({ name: 'mean pinball loss ÷ that of single weeks', value: found.loss / usual.loss, atMost: 0.9 })
}
