import { formatPercent } from '../../../src/reports/rules/wording'
import { type Canvas, type Column, facts, table, wrapText } from '../../terminal/layout'
import { renderBar } from './bar'
import { basisTexts, dateText, type Forecast, type ForecastRow, nameOf, workText } from './forecast-texts'

/** The dates first, then what they are made from. */
export function renderForecast(answer: Forecast, canvas: Canvas): string {
  const parts = [
    facts(canvas, basisTexts(answer)),
    dates(answer, canvas),
    paragraphs([...answer.missing, ...answer.notes], canvas),
    calibration(answer, canvas),
    paragraphs(answer.explanation, canvas),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function dates(answer: Forecast, canvas: Canvas): string {
  const column = (percent: 50 | 70 | 85 | 95): Column<ForecastRow> => ({
    title: `${percent}%`,
    text: ({ finish }) => dateText(finish?.[`p${percent}`], answer),
  })
  return table(canvas, answer.work, [
    { title: 'WORK', text: nameOf, shrink: 'cut' },
    { title: 'LEFT', text: workText, below: true },
    column(50),
    column(70),
    column(85),
    column(95),
    ...(answer.by === null
      ? []
      : [
          {
            title: 'CHANCE',
            text: ({ chance }: ForecastRow) => (chance === null ? '-' : formatPercent(chance)),
            align: 'right' as const,
          },
        ]),
  ])
}

const BAR_CELLS = 20

function calibration({ backtest }: Forecast, canvas: Canvas): string {
  // The others are in the facts above.
  if (backtest === null || backtest.right.length <= 3) return ''
  return table(canvas, backtest.right, [
    { title: 'FORECAST', text: ({ percent }) => `${percent}%`, align: 'right' },
    { title: 'RIGHT', text: ({ share }) => formatPercent(share), align: 'right' },
    { title: '', text: ({ share }) => renderBar(share, BAR_CELLS) },
  ])
}

function paragraphs(texts: readonly string[], canvas: Canvas): string {
  return texts.map((text) => `${wrapText(text, canvas.width)}\n`).join('')
}
