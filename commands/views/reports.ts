import type { z } from 'zod'
import type { generateBriefing } from '../../src/reports/operations/generate-briefing'
import type { reportHierarchy } from '../../src/reports/operations/report-hierarchy'
import type { reportSummary } from '../../src/reports/operations/report-summary'
import { percent } from '../../src/reports/rules/wording'
import { type Canvas, facts, printable, printableLine, table } from '../layout'
import type { Paint } from '../paint'
import { plural } from '../wording'

type Node = z.infer<typeof reportHierarchy.output>['features'][number]
type Summary = z.infer<typeof reportSummary.output>

/** As it is: the text is meant to be forwarded. */
export function briefing(answer: z.infer<typeof generateBriefing.output>): string {
  return printable(answer.markdown)
}

export function hierarchy(answer: z.infer<typeof reportHierarchy.output>, { paint }: Canvas): string {
  const features = answer.features.map((node) => tree(node, paint))
  const others = answer.unparented.map((node) => tree(node, paint))
  if (features.length + others.length === 0) return 'Nothing is imported yet: studio import <featureId>\n'
  const apart = others.length > 0 ? [`${paint.strong('Under no feature')}\n`, ...others] : []
  return [...features, ...apart].join('\n')
}

/** A tree by its branches; without recursion, since a tree may be deeper than the stack. */
function tree(root: Node, paint: Paint): string {
  let text = ''
  const open: { node: Node; lead: string; branch: string }[] = [{ node: root, lead: '', branch: '' }]
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { node, lead, branch } = entry
    text += `${paint.faint(lead + branch)}${nodeText(node, paint)}\n`
    const below = lead + (branch === '' ? '' : branch === '├─ ' ? '│  ' : '   ')
    for (let i = node.children.length - 1; i >= 0; i--) {
      open.push({ node: node.children[i]!, lead: below, branch: i === node.children.length - 1 ? '└─ ' : '├─ ' })
    }
  }
  return text
}

function nodeText(node: Node, paint: Paint): string {
  const done = node.stateCategory === 'Completed'
  const mark = node.blockers.length > 0 ? paint.bad('!') : done ? paint.good('✓') : '·'
  const progress = node.children.length > 0 && node.completion !== null ? `  ${percent(node.completion)}` : ''
  const points = node.points === null ? '' : `  ${plural(node.points, 'point')}`
  const held = node.blockers.map((blocker) => paint.bad(`  ${printableLine(blocker.evidence)}`)).join('')
  return `${mark} #${node.id} ${printableLine(node.title)}  ${paint.faint(printableLine(node.state))}${points}${progress}${held}`
}

export function summary(answer: Summary, canvas: Canvas): string {
  const { totals, completion } = answer
  const features = table(
    answer.features,
    [
      { title: 'FEATURE', text: (feature) => `#${feature.id} ${feature.title}`, shrink: true },
      { title: 'DONE', text: (feature) => share(feature.completion), align: 'right' },
      { title: 'POINTS', text: (feature) => `${feature.donePoints}/${feature.points}`, align: 'right' },
      { title: 'BLOCKERS', text: (feature) => String(feature.blockers), align: 'right' },
      { title: 'AT RISK', text: (feature) => feature.risks.map((risk) => risk.evidence).join('; ') },
    ],
    canvas,
  )
  return [
    facts(
      [
        ['As of', answer.asOf ?? 'nothing imported yet'],
        ['Done', share(completion)],
        ['Points', `${totals.donePoints} of ${totals.points}`],
        ['Items', `${totals.doneItems} of ${totals.items}`],
        ['Unestimated', String(totals.unestimated)],
        ['Blockers', String(totals.blockers)],
      ],
      canvas,
    ),
    answer.features.length > 0 ? `\n${features}` : '',
    groups('STATE', answer.byState, canvas),
    groups('ITERATION', answer.byIteration, canvas),
    groups('ASSIGNEE', answer.byAssignee, canvas),
  ].join('')
}

function groups(title: string, entries: Summary['byState'], canvas: Canvas): string {
  if (entries.length === 0) return ''
  const rows = table(
    entries,
    [
      { title, text: (group) => group.name ?? '(none)', shrink: true },
      { title: 'ITEMS', text: (group) => String(group.totals.items), align: 'right' },
      { title: 'POINTS', text: (group) => String(group.totals.points), align: 'right' },
      { title: 'DONE', text: (group) => share(group.completion), align: 'right' },
    ],
    canvas,
  )
  return `\n${rows}`
}

function share(completion: number | null): string {
  return completion === null ? '-' : percent(completion)
}
